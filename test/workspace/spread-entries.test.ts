import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { spreadEntries } from "../../src/workspace/files/spread-entries.ts";

const EXT_FILE_SYSTEM = 0xef53;
/** Temporary files may be in memory; the repository is on a disk. */
const CACHE = resolve("node_modules/.cache/ambit");
let folder: string;

beforeEach(() => {
  mkdirSync(CACHE, { recursive: true });
  const place = [tmpdir(), CACHE].find((path) => statfsSync(path).type === EXT_FILE_SYSTEM);
  folder = mkdtempSync(join(place ?? tmpdir(), "ambit-spread-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("a folder for many files", () => {
  it("has the flag with which ext4 spreads the folders in it", async ({ skip }) => {
    if (statfsSync(folder).type !== EXT_FILE_SYSTEM) skip();
    await spreadEntries(process.env["PATH"] ?? "", folder);
    const [flags = ""] = execFileSync("lsattr", ["-d", folder], { encoding: "utf8" }).split(" ");
    expect(flags).toContain("T");
  });

  it("stays as it is where no program can set the flag", async () => {
    await spreadEntries(folder, folder);
    expect(readdirSync(folder)).toStrictEqual([]);
  });
});
