import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { applyMerge, type MergeApplied, undoMerge } from "../../src/workspace/user-merge.ts";
import { commitElsewhere } from "./story-commit.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const story = "US-013";
const names = ["changed.txt", "removed.txt", "mode.txt", "untouched.txt"];
let project: TemporaryRepository;

afterEach(() => project.remove());

const lines = (end: string, ...own: readonly string[]): string =>
  ["one", "two", "three", ...own].map((line) => `${line}${end}`).join("");

/** UTF-16 with the high byte first; git writes the low byte first. */
function encode(text: string): Buffer {
  return Buffer.from(`\u{FEFF}${text}`, "utf16le").swap16();
}

interface Kind {
  readonly settings?: readonly (readonly [string, string])[];
  readonly attributes?: string;
  /** The bytes in the checkout of a file that git calls clean. */
  readonly found: Buffer;
}

const kinds: readonly (readonly [string, Kind])[] = [
  ["LF under core.autocrlf", { settings: [["core.autocrlf", "true"]], found: Buffer.from(lines("\n")) }],
  [
    "mixed line ends under core.autocrlf",
    { settings: [["core.autocrlf", "true"]], found: Buffer.from("one\r\ntwo\nthree\r\n") },
  ],
  [
    "LF under core.eol",
    { settings: [["core.eol", "crlf"]], attributes: "* text=auto", found: Buffer.from(lines("\n")) },
  ],
  ["LF below eol=crlf", { attributes: "* text eol=crlf", found: Buffer.from(lines("\n")) }],
  ["CRLF below eol=lf", { attributes: "* text eol=lf", found: Buffer.from(lines("\r\n")) }],
  [
    "an old $Id$",
    { attributes: "* ident", found: Buffer.from(lines("\n").replace("three", "$Id: of another time $")) },
  ],
  [
    "another byte order of UTF-16",
    { attributes: "*.txt working-tree-encoding=UTF-16", found: encode(lines("\n")) },
  ],
];

/** A project whose checkout has the files as a person left them, and a story that changes three of them. */
async function makeProject({ settings = [], attributes, found }: Kind): Promise<string> {
  project = await makeRepository({ "start.md": "start\n" });
  for (const [key, value] of settings) project.git("config", key, value);
  if (attributes !== undefined) writeFileSync(join(project.root, ".gitattributes"), `${attributes}\n`);
  for (const name of names) writeFileSync(join(project.root, name), found);
  project.git("add", "-A");
  project.git("commit", "-qm", "Files");
  for (const name of names) utimesSync(join(project.root, name), 1_600_000_000, 1_600_000_000);
  project.git("update-index", "-q", "--refresh");
  expect(project.git("status", "--porcelain")).toBe("");
  const change = (path: string): void => {
    const changed = readFileSync(join(path, "changed.txt"));
    const last = changed.includes(0) ? changed.subarray(-12) : Buffer.from("four\n");
    writeFileSync(join(path, "changed.txt"), Buffer.concat([changed, last]));
    rmSync(join(path, "removed.txt"));
    chmodSync(join(path, "mode.txt"), 0o755);
  };
  return commitElsewhere(project, change, project.git("rev-parse", "HEAD").trim());
}

const read = (name: string): string => readFileSync(join(project.root, name), "latin1");
const see = (): unknown => names.map((name) => [name, read(name)]);
const apply = (tip: string): Promise<MergeApplied> => applyMerge(project, { story, tip });
const status = (): string => project.git("status", "--porcelain");

/** What git itself would write for a file of HEAD. */
function checkOut(name: string): string {
  const prefix = join(project.root, "../written");
  mkdirSync(prefix);
  project.git("checkout-index", `--prefix=${prefix}/`, name);
  const written = readFileSync(join(prefix, name), "latin1");
  rmSync(prefix, { recursive: true });
  return written;
}

describe("clean files whose bytes git would not write again:", () => {
  it.each(kinds)("a merge and its undo keep %s", async (_, kind) => {
    const tip = await makeProject(kind);
    const before = see();
    const untouched = (): unknown => {
      const { mtimeNs, ino } = statSync(join(project.root, "untouched.txt"), { bigint: true });
      return [read("untouched.txt"), mtimeNs, ino];
    };
    const kept = untouched();
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect([read("changed.txt"), read("mode.txt"), status()]).toStrictEqual([
      checkOut("changed.txt"),
      checkOut("mode.txt"),
      "",
    ]);
    expect(await undoMerge(project, { story })).toMatchObject({ status: "undone" });
    expect([see(), untouched(), status()]).toStrictEqual([before, kept, ""]);
  });

  it("a merge that fails after it has placed its files restores them", async () => {
    const tip = await makeProject({
      settings: [["core.autocrlf", "true"]],
      found: Buffer.from(lines("\n")),
    });
    const before = see();
    const lock = join(project.root, ".git/refs/heads/main.lock");
    writeFileSync(lock, "");
    expect(await apply(tip)).toMatchObject({ status: "refused", kind: "ref-locked" });
    rmSync(lock);
    expect([see(), status()]).toStrictEqual([before, ""]);
  });

  it("a merge and its undo keep files with names that every object of JavaScript knows", async () => {
    const files = { constructor: "one\n", toString: "two\n", ["__proto__"]: "three\n" };
    project = await makeRepository(files);
    const tip = commitElsewhere(
      project,
      (path) => {
        for (const name of Object.keys(files)) writeFileSync(join(path, name), "changed\n");
      },
      project.git("rev-parse", "HEAD").trim(),
    );
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    expect(await undoMerge(project, { story })).toMatchObject({ status: "undone" });
    expect(Object.keys(files).map(read)).toStrictEqual(["one\n", "two\n", "three\n"]);
  });

  it("git removes everything unused between a merge and its undo", async () => {
    const tip = await makeProject({
      settings: [["core.autocrlf", "true"]],
      found: Buffer.from("one\r\ntwo\nthree\r\n"),
    });
    const before = see();
    expect(await apply(tip)).toMatchObject({ status: "merged" });
    project.git("reflog", "expire", "--expire=now", "--all");
    project.git("gc", "-q", "--prune=now");
    expect(await undoMerge(project, { story })).toMatchObject({ status: "undone" });
    expect(see()).toStrictEqual(before);
  });
});
