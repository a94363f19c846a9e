import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  hasErrorCode,
  hasSameContent,
  openWithoutFollowing,
  pathExists,
  readFileEnd,
  readFileRange,
  readRegularFile,
  readRegularText,
  writeFileAtomically,
} from "../../src/base/files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ambit-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("reading regular files", () => {
  it("reads the bytes and the text of a file", () => {
    const path = write("plain", "größe\n");
    expect(readRegularFile(path)).toEqual(Buffer.from("größe\n"));
    expect(readRegularText(Buffer.from(path))).toBe("größe\n");
  });

  it("returns undefined for a missing path, a link, a folder and a pipe without a writer", () => {
    const target = write("target", "secret");
    symlinkSync(target, join(folder, "link"));
    mkdirSync(join(folder, "folder"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const name of ["missing", "link", "folder", "pipe"]) {
      expect(readRegularFile(join(folder, name))).toBeUndefined();
      expect(readFileEnd(join(folder, name), 10)).toBeUndefined();
    }
  });

  it("does not read a file above the limit", () => {
    const path = write("large", "12345");
    expect(readRegularFile(path, 4)).toBeUndefined();
    expect(readRegularFile(path, 5)?.length).toBe(5);
  });

  it("reads the chosen part, and the end of a file", () => {
    const path = write("digits", "0123456789");
    const middle = readFileRange(path, (size) => ({ start: 2, end: size - 5 }));
    expect(middle).toEqual({ start: 2, bytes: Buffer.from("234"), size: 10 });
    expect(readFileEnd(path, 3)).toEqual({ start: 7, bytes: Buffer.from("789"), size: 10 });
    expect(readFileEnd(path, 30)?.bytes.toString()).toBe("0123456789");
  });

  it("refuses to open a link", () => {
    symlinkSync(write("target", ""), join(folder, "link"));
    let thrown: unknown;
    try {
      openWithoutFollowing(join(folder, "link"));
    } catch (error) {
      thrown = error;
    }
    expect(hasErrorCode(thrown, "ELOOP")).toBe(true);
    expect(hasErrorCode(thrown, "ENOENT")).toBe(false);
    expect(hasErrorCode(undefined, "ENOENT")).toBe(false);
  });
});

describe("comparing files", () => {
  const long = "0123456789abcdef".repeat(10_000);

  it("says that two files are the same if all of their bytes are", () => {
    const path = write("one", long);
    expect(hasSameContent(path, write("same", long))).toBe(true);
    expect(hasSameContent(path, write("longer", `${long}0`))).toBe(false);
    expect(hasSameContent(path, write("last", `${long.slice(0, -1)}0`))).toBe(false);
    expect(hasSameContent(write("empty", ""), write("also-empty", ""))).toBe(true);
  });

  it("does not follow a link, and finds nothing the same as a file that is missing", () => {
    const path = write("one", long);
    symlinkSync(path, join(folder, "link"));
    expect(hasSameContent(path, join(folder, "link"))).toBe(false);
    expect(hasSameContent(path, join(folder, "missing"))).toBe(false);
  });
});

describe("writing atomically", () => {
  it("writes a new private file and leaves nothing else in the folder", () => {
    const path = join(folder, "new");
    writeFileAtomically(path, "text");
    expect(readFileSync(path, "utf8")).toBe("text");
    expect(statSync(path).mode % 0o1000).toBe(0o600);
    writeFileAtomically(path, Buffer.from("other"), { isDurable: true });
    expect(readFileSync(path, "utf8")).toBe("other");
    expect(readdirSync(folder)).toEqual(["new"]);
  });

  it("replaces a link unless asked to write in place", () => {
    const target = write("target", "old");
    chmodSync(target, 0o640);
    const link = join(folder, "link");
    symlinkSync(target, link);
    writeFileAtomically(link, "in place", { isInPlace: true, mode: 0o666 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toBe("in place");
    expect(statSync(target).mode % 0o1000).toBe(0o640);
    writeFileAtomically(link, "replaced");
    expect(lstatSync(link).isSymbolicLink()).toBe(false);
    expect(readFileSync(target, "utf8")).toBe("in place");
  });

  it("removes its temporary file if it cannot replace the target", () => {
    mkdirSync(join(folder, "taken"));
    expect(() => writeFileAtomically(join(folder, "taken"), "text")).toThrow();
    expect(readdirSync(folder)).toEqual(["taken"]);
  });
});

it("treats a broken link as existing", () => {
  symlinkSync("nowhere", join(folder, "broken"));
  expect(pathExists(join(folder, "broken"))).toBe(true);
  expect(pathExists(join(folder, "missing"))).toBe(false);
  writeFileSync(join(folder, "file"), "");
  expect(pathExists(join(folder, "file", "below"))).toBe(false);
});
