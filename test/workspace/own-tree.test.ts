import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeOwnTree } from "../../src/workspace/capture/write-own-tree.ts";
import { createTreeCommit } from "../../src/workspace/git/create-tree-commit.ts";
import { hashObject, writeObject } from "../../src/workspace/git/write-object.ts";
import { readChangedFiles, rememberChangedFiles } from "../../src/workspace/git/read-changes.ts";
import { openRepository, type Repository } from "../../src/workspace/repository.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;
beforeEach(async () => {
  project = await makeRepository({ "README.md": "hello\n", "src/a.txt": "a\n", "src/deep/b.txt": "b\n" });
});
afterEach(() => project.remove());

/** Names whose order as files differs from that as folders, and such that need care. */
const names = [
  "a",
  "a.b",
  "a-b",
  "a0",
  "src",
  "src.d",
  "deep",
  "Ünïcode",
  "with space",
  "line\nbreak",
  "-x",
  "~",
];

function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Whatever is in the way of a folder, such as a link or a file, is removed. */
function makeRoom(parts: readonly string[]): void {
  let folder = project.root;
  for (const part of parts) {
    folder = join(folder, part);
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(folder);
    mkdirSync(folder, { recursive: true });
  }
}

function changeSomething(random: (below: number) => number): void {
  const parts = Array.from({ length: 1 + random(3) }, () => names[random(names.length)] ?? "");
  const path = join(project.root, ...parts);
  const replace = (make: () => void): void => {
    makeRoom(parts.slice(0, -1));
    rmSync(path, { recursive: true, force: true });
    make();
  };
  switch (random(5)) {
    case 0:
      makeRoom(parts.slice(0, -1));
      return rmSync(path, { recursive: true, force: true });
    case 1:
      return replace(() => symlinkSync(`to-${random(9)}`, path));
    case 2:
      return replace(() => {
        writeFileSync(path, `run ${random(9)}\n`);
        chmodSync(path, 0o755);
      });
    default:
      return replace(() => writeFileSync(path, random(4) === 0 ? "" : `text ${random(9)}\r\n\0`));
  }
}

/** What git itself says that differs from HEAD. */
function listChanges(): { readonly added: Buffer[]; readonly removed: Buffer[] } {
  const words = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"];
  const lines = project
    .git(...words)
    .split("\0")
    .filter((line) => line !== "");
  const removed = lines.filter(
    (line) => / 000000 [0-9a-f]+ [0-9a-f]+ /.test(line.slice(0, 140)) && line.startsWith("1"),
  );
  const isGone = new Set(removed);
  const pathOf = (line: string): Buffer =>
    Buffer.from(line.startsWith("?") ? line.slice(2) : line.split(" ").slice(8).join(" "));
  return {
    added: lines.filter((line) => !isGone.has(line)).map(pathOf),
    removed: removed.map(pathOf),
  };
}

function writeTree(repository: Repository = project.repository) {
  const git = {
    directory: join(project.root, ".git"),
    place: { searchPath: "", gitDirectory: "", workTree: project.root },
    putAside: [],
  };
  return writeOwnTree({
    repository,
    git,
    head: project.git("rev-parse", "HEAD").trim(),
    sorted: listChanges(),
  });
}

describe("a tree that is written without git", () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    "is the one git would write, seed %i",
    async (seed) => {
      const random = makeRandom(seed + 1);
      let written = 0;
      for (let round = 0; round < 6; round += 1) {
        for (let change = random(5); change >= 0; change -= 1) changeSomething(random);
        const head = project.git("rev-parse", "HEAD").trim();
        const own = await writeTree();
        project.git("add", "--all");
        const tree = project.git("write-tree").trim();
        if (own !== undefined) {
          expect(own.tree).toBe(tree);
          const tip = await createTreeCommit({
            repository: project.repository,
            tree,
            parents: [head],
            message: "x",
          });
          const told = await readChangedFiles(project.repository, head, tip);
          const again = await openRepository(project.root, project.repository.host);
          rememberChangedFiles(
            { ...again, commonDirectory: `${again.commonDirectory}/.` },
            { base: head, tip },
            own.changes,
          );
          const known = await readChangedFiles(
            { ...again, commonDirectory: `${again.commonDirectory}/.` },
            head,
            tip,
          );
          expect(known).toStrictEqual(told);
          written += 1;
        }
        project.git("commit", "--quiet", "--allow-empty", "-m", "next");
      }
      expect(written).toBeGreaterThan(0);
      expect(project.git("fsck", "--strict", "--no-dangling")).toBe("");
    },
  );

  it("keeps a git prune that has begun from removing an old object that it needs again", async () => {
    project.write("new.txt", "again\n");
    const id = project.git("hash-object", "-w", "new.txt").trim();
    const object = join(project.root, ".git/objects", id.slice(0, 2), id.slice(2));
    utimesSync(object, new Date(0), new Date(0));
    await writeObject(project.repository, { type: "blob", content: Buffer.from("again\n") });
    project.git("prune", "--expire=1.hour.ago");
    expect(project.git("cat-file", "-p", id)).toBe("again\n");
  });

  it("needs a store that takes its objects", async () => {
    const content = Buffer.from("not stored\n");
    const id = hashObject(project.repository, { type: "blob", content });
    writeFileSync(join(project.root, ".git/objects", id.slice(0, 2)), "in the way of a folder");
    await expect(writeObject(project.repository, { type: "blob", content })).rejects.toThrow(
      /E(EXIST|NOTDIR)/,
    );
  });

  it.each(["text=auto", "filter=x"])("is left to git where attributes say %s", async (attribute) => {
    project.write("new.txt", "one\r\n");
    expect(await writeTree()).toBeDefined();
    project.write(".gitattributes", `* ${attribute}\n`);
    expect(await writeTree()).toBeUndefined();
  });

  it.each([
    ["core.autocrlf", "input"],
    ["core.fileMode", "false"],
    ["core.sharedRepository", "group"],
  ])("is left to git where %s is %s", async (key, value) => {
    project.write("new.txt", "one\r\n");
    project.git("config", key, value);
    expect(await writeTree()).toBeUndefined();
  });

  it("is left to git where a folder becomes a file", async () => {
    rmSync(join(project.root, "src"), { recursive: true });
    project.write("src", "a file now\n");
    expect(await writeTree()).toBeUndefined();
  });
});

describe("a repository that lacks objects", () => {
  it("leaves the tree to git, because a missing folder must not pass for an empty one", async () => {
    // Known trees are remembered by their content, so this one must be new.
    project.write("src/deep/own.txt", `${Math.random()}\n`);
    project.git("add", "--all");
    project.git("commit", "--quiet", "-m", "own");
    project.write("src/deep/new.txt", "new\n");
    const id = project.git("rev-parse", "HEAD:src/deep").trim();
    const object = join(project.root, ".git/objects", id.slice(0, 2), id.slice(2));
    rmSync(object);
    const head = project.git("rev-parse", "HEAD").trim();
    const git = {
      directory: join(project.root, ".git"),
      place: { searchPath: "", gitDirectory: "", workTree: project.root },
      putAside: [],
    };
    const sorted = { added: [Buffer.from("src/deep/new.txt")], removed: [] };
    expect(await writeOwnTree({ repository: project.repository, git, head, sorted })).toBeUndefined();
  });
});

describe("a commit that is written without git", () => {
  it.each([
    ["Ada", "Ada Löve"],
    ["who has a name that git changes", " Ada <x>. "],
  ])("is by the person %s", async (_, name) => {
    project.git("config", "user.name", name);
    const tree = project.git("rev-parse", "HEAD^{tree}").trim();
    const head = project.git("rev-parse", "HEAD").trim();
    const message = "Subject ü\n\nBody without an end";
    const commit = await createTreeCommit({ repository: project.repository, tree, parents: [head], message });
    const shown = project.git("log", "-1", "--format=%an|%ae|%cn|%ce|%P|%T|%B", commit).trim();
    const expected = name.startsWith(" ") ? "Ada x" : name;
    expect(shown).toBe(`${expected}|ada@example.org|ambit|ambit@localhost|${head}|${tree}|${message}`);
    const zone = project.git("log", "-1", "--date=format:%z", "--format=%ad", commit).trim();
    expect(zone).toBe(project.git("log", "-1", "--date=format-local:%z", "--format=%ad", commit).trim());
    expect(project.git("fsck", "--strict", "--no-dangling")).toBe("");
  });
});
