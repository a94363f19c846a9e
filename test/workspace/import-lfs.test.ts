import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importLfsContent } from "../../src/workspace/sandbox/import-lfs.ts";

const hash = createHash("sha256").update("content").digest("hex");
let root: string;
let folder: string;
let lfs: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ambit-lfs-"));
  [folder, lfs] = [join(root, "handed-over"), join(root, "lfs")];
  mkdirSync(folder);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const stored = (): string => join(lfs, "objects", hash.slice(0, 2), hash.slice(2, 4), hash);

describe("content of files behind Git LFS that a sandbox hands over", () => {
  it("is stored where LFS looks for it", () => {
    writeFileSync(join(folder, hash), "content");
    importLfsContent(folder, lfs);
    expect(readFileSync(stored(), "utf8")).toBe("content");
    importLfsContent(join(root, "nothing"), lfs);
  });

  it.each([
    ["other content than its name says", () => writeFileSync(join(folder, hash), "other")],
    ["a name that leads elsewhere", () => writeFileSync(join(folder, "..out"), "content")],
    ["a folder", () => mkdirSync(join(folder, hash))],
    [
      "a link to a file of the user",
      () => {
        writeFileSync(join(root, "secret"), "content");
        symlinkSync(join(root, "secret"), join(folder, hash));
      },
    ],
  ])("is refused if it is %s", (_what, leave) => {
    leave();
    expect(() => importLfsContent(folder, lfs)).toThrow("refused");
    expect(existsSync(stored())).toBe(false);
  });
});
