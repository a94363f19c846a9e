import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, lstatSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fingerprintEntries } from "../../src/workspace/prepare/fingerprint-entries.ts";

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-print-")));
  mkdirSync(join(folder, "tree/src"), { recursive: true });
  writeFileSync(join(folder, "tree/src/a.txt"), "aaaa\n");
});

afterEach(() => rmSync(folder, { recursive: true }));

/** The same length and the same time: only what the kernel keeps tells. */
function poison(): void {
  const file = join(folder, "tree/src/a.txt");
  const { atime, mtime } = lstatSync(file);
  writeFileSync(file, "evil\n");
  utimesSync(file, atime, mtime);
}

describe.each([
  ["with the find of this machine", (): string => process.env["PATH"] ?? ""],
  ["without a find", (): string => folder],
  [
    "with a find that cannot print times",
    (): string => {
      const programs = `${folder}-programs`;
      mkdirSync(programs);
      writeFileSync(join(programs, "find"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      return programs;
    },
  ],
])("the fingerprint of a tree, %s", (_, findPath) => {
  let searchPath: string;

  beforeEach(() => {
    searchPath = findPath();
  });

  afterEach(() => rmSync(`${folder}-programs`, { recursive: true, force: true }));

  it("stays the same as long as nothing is written", async () => {
    const print = await fingerprintEntries(searchPath, folder);
    expect(print).toMatch(/^[0-9a-f]{64}$/);
    expect(await fingerprintEntries(searchPath, folder)).toBe(print);
  });

  it("changes with a write that restores size and time", async () => {
    const print = await fingerprintEntries(searchPath, folder);
    poison();
    expect(await fingerprintEntries(searchPath, folder)).not.toBe(print);
  });

  it("does not exist for a repository or an empty folder", async () => {
    mkdirSync(join(folder, "tree/src/.git"));
    expect(await fingerprintEntries(searchPath, folder)).toBeUndefined();
    rmSync(join(folder, "tree"), { recursive: true });
    expect(await fingerprintEntries(searchPath, folder)).toBeUndefined();
    expect(await fingerprintEntries(searchPath, join(folder, "gone"))).toBeUndefined();
  });
});
