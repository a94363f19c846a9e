import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readHandOver } from "../../src/workspace/sandbox/read-hand-over.ts";
import { importPack } from "../../src/workspace/sandbox/import-pack.ts";
import { makeRepository, runPlainGit, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;
let maker: string;
let base: string;

beforeEach(async () => {
  project = await makeRepository();
  maker = join(project.root, "..", "maker");
  runPlainGit(project.root, ["clone", "-q", "--shared", project.root, maker], project.home);
  base = project.git("rev-parse", "HEAD").trim();
});

afterEach(() => project.remove());

function git(words: readonly string[], input: string | Buffer = ""): string {
  return execFileSync("git", ["-c", "user.name=w", "-c", "user.email=w@w", ...words], {
    cwd: maker,
    input,
    env: { PATH: process.env["PATH"] ?? "", HOME: project.home },
  })
    .toString("utf8")
    .trim();
}

/** A tree object with one entry, whatever git thinks of it. */
function tree(mode: string, name: string, id: string): string {
  const entry = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]);
  return git(["hash-object", "-t", "tree", "-w", "--literally", "--stdin"], entry);
}

const blob = (content: string): string => git(["hash-object", "-w", "--stdin"], content);
const commit = (treeId: string, parent = base): string =>
  git(["commit-tree", "-p", parent, "-m", "Hostile", treeId]);

function packOf(ids: readonly string[]): Buffer {
  return execFileSync("git", ["pack-objects", "--stdout", "-q"], {
    cwd: maker,
    input: ids.map((id) => `${id}\n`).join(""),
  });
}

function take(pack: Buffer, tip: string, kept: readonly string[] = []): Promise<void> {
  const { repository, stateDirectory } = project;
  const handOver = { tip, kept, pack, historyDropped: false, leftOut: [] };
  return importPack({ repository, stateDirectory, base, handOver });
}

const objects = (): readonly string[] =>
  readdirSync(join(project.root, ".git/objects"), { recursive: true, encoding: "utf8" }).toSorted();

describe("a pack out of a sandbox", () => {
  it("is accepted if it is valid", async () => {
    const file = blob("sound\n");
    const root = tree("100644", "file", file);
    const tip = commit(root);
    await take(packOf([file, root, tip]), tip);
    expect(project.git("show", `${tip}:file`)).toBe("sound\n");
  });

  it.each([".git", ".GIT", "git~1", "..", ".", "a/b", ".git ", ".g\u200cit"])(
    "is refused with a name like %j, and leaves nothing behind",
    async (name) => {
      const before = objects();
      const file = blob("hostile\n");
      const inner = tree("100644", "config", file);
      const root = tree("40000", name, inner);
      const tip = commit(root);
      await expect(take(packOf([file, inner, root, tip]), tip)).rejects.toMatchObject({
        code: "HAND_OVER_REFUSED",
      });
      expect(objects()).toStrictEqual(before);
    },
  );

  it("is refused with a .gitmodules that runs something", async () => {
    const file = blob('[submodule "x"]\n\tpath = x\n\turl = -u./payload\n');
    const root = tree("100644", ".gitmodules", file);
    const tip = commit(root);
    await expect(take(packOf([file, root, tip]), tip)).rejects.toThrow(/pack is invalid/);
  });

  it("is refused if objects are missing, in the pack or altogether", async () => {
    const before = objects();
    const file = blob("missing\n");
    const root = tree("100644", "file", file);
    const tip = commit(root);
    await expect(take(packOf([root, tip]), tip)).rejects.toMatchObject({ code: "HAND_OVER_REFUSED" });
    await expect(take(packOf([file]), tip)).rejects.toMatchObject({ code: "HAND_OVER_REFUSED" });
    await expect(take(packOf([file, root, tip]), tip, ["f".repeat(40)])).rejects.toThrow(/do not exist/);
    expect(objects()).toStrictEqual(before);
  });

  it("is refused if its work does not build on the base, or its tip is not a commit", async () => {
    const file = blob("other\n");
    const root = tree("100644", "file", file);
    const alone = git(["commit-tree", "-m", "Root", root]);
    await expect(take(packOf([file, root, alone]), alone)).rejects.toThrow(/does not build on/);
    await expect(take(packOf([file, root]), root)).rejects.toThrow(/do not exist/);
  });

  it("is refused if bytes are flipped or cut off, or if it is not a pack", async () => {
    const before = objects();
    const file = blob("x".repeat(500));
    const root = tree("100644", "file", file);
    const tip = commit(root);
    const pack = packOf([file, root, tip]);
    const flipped = Buffer.from(pack);
    flipped[40] = (flipped[40] ?? 0) ^ 0xff;
    const bad = [flipped, pack.subarray(0, -30), Buffer.from("#!/bin/sh\n")];
    for (const bytes of bad)
      await expect(take(bytes, tip)).rejects.toMatchObject({ code: "HAND_OVER_REFUSED" });
    expect(objects()).toStrictEqual(before);
  });

  it("is refused if a few bytes would expand to many gigabytes", async () => {
    const bomb = deltaBomb(8 * 1024 ** 3);
    expect(bomb.length).toBeLessThan(2000);
    await expect(take(bomb, base)).rejects.toThrow(/over limit/);
    // The same with a size that fits is sound.
    await take(deltaBomb(1024 ** 2), base);
  });
});

describe("the folder of a hand-over", () => {
  const folder = (): string => join(project.root, "..", "hand-over");
  const write = (manifest: string): void => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(join(folder(), "manifest"), manifest);
    writeFileSync(join(folder(), "pack"), "PACK");
  };

  it.each([
    "",
    "tip nonsense\nhistory whole\n",
    `tip ${"a".repeat(40)}`,
    `tip ${"a".repeat(40)}\nhistory perhaps\n`,
    `tip ${"a".repeat(40)}\nhistory whole\nkept ../../x\n`,
    `tip ${"a".repeat(40)}\nhistory whole\n${`kept ${"b".repeat(40)}\n`.repeat(2001)}`,
    `tip ${"a".repeat(40)}\nhistory whole\nkept ${"b".repeat(40)}\n\n`,
  ])("is refused with an invalid list", (manifest) => {
    write(manifest);
    expect(() => readHandOver(folder(), 100)).toThrow(/list of its commits/);
  });

  it("is refused if the pack is a link, a pipe, a folder, missing or too large", () => {
    const manifest = `tip ${"a".repeat(40)}\nhistory whole\n`;
    const pack = join(folder(), "pack");
    const replacements: readonly (() => void)[] = [
      () => symlinkSync("/etc/passwd", pack),
      () => execFileSync("mkfifo", [pack]),
      () => mkdirSync(pack),
      () => undefined,
    ];
    for (const replace of replacements) {
      write(manifest);
      execFileSync("rm", ["-rf", pack]);
      replace();
      expect(() => readHandOver(folder(), 100)).toThrow(/pack/);
      execFileSync("rm", ["-rf", pack]);
    }
    write(manifest);
    truncateSync(pack, 101);
    expect(() => readHandOver(folder(), 100)).toThrow(/101 bytes, more than 100/);
    truncateSync(pack, 100);
    expect(readHandOver(folder(), 100).pack).toHaveLength(100);
  });
});

/** A blob of 64 KiB, and a delta that copies it again and again until it is as long as asked. */
function deltaBomb(bytes: number): Buffer {
  const source = Buffer.alloc(0x10000);
  // Copy, from offset 0, size 0x10000 (which is how a size of 0 is read), then the next one.
  const copies = Buffer.alloc(bytes / source.length, 0x80);
  const delta = Buffer.concat([sizeBytes(source.length), sizeBytes(bytes), copies]);
  const first = Buffer.concat([entryHeader(3, source.length), deflateSync(source)]);
  const id = createHash("sha1")
    .update(`blob ${String(source.length)}\0`)
    .update(source)
    .digest();
  const second = Buffer.concat([entryHeader(7, delta.length), id, deflateSync(delta)]);
  const header = Buffer.concat([Buffer.from("PACK"), Buffer.from([0, 0, 0, 2, 0, 0, 0, 2])]);
  const body = Buffer.concat([header, first, second]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

function sizeBytes(size: number): Buffer {
  const bytes: number[] = [];
  let rest = size;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function entryHeader(type: number, size: number): Buffer {
  const rest = Math.floor(size / 16);
  const first = (type << 4) | (size % 16) | (rest > 0 ? 0x80 : 0);
  return rest > 0 ? Buffer.concat([Buffer.from([first]), sizeBytes(rest)]) : Buffer.from([first]);
}
