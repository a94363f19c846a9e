import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { captureWritten } from "../../src/workspace/capture/capture-written.ts";
import { createRandom, type Random } from "../slow/random.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const IGNORED = "*.log\n/build/\n!keep.log\n";
let project: TemporaryRepository;

beforeEach(async () => {
  project = await makeRepository({
    ".gitignore": IGNORED,
    "README.md": "hello\n",
    "src/a.txt": "a\n",
    "src/only/one.txt": "one\n",
    "src/deep/b.txt": "b\n",
    "src/deep/er/c.txt": "c\n",
    "other/.gitignore": "secret*\n",
    "other/d.txt": "d\n",
  });
});
afterEach(() => project.remove());

const at = (path: string): string => join(project.root, path);
const readHead = (): string => project.git("rev-parse", "HEAD").trim();

function capture(paths: readonly string[], alsoIgnored: readonly string[] = []) {
  const { repository, root: workTree } = project;
  return captureWritten({ repository, head: readHead(), workTree, paths, alsoIgnored });
}

/** The tree that git itself would write. */
function readGitTree(): string {
  project.git("add", "--all");
  const tree = project.git("write-tree").trim();
  project.git("reset", "--quiet");
  return tree;
}

/** Every path at which git sees a difference, and how it counts them. */
function readGitStatus() {
  const lines = project.git("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames");
  const entries = lines.split("\0").filter((line) => line !== "");
  const untracked = entries.filter((line) => line.startsWith("??")).length;
  return {
    paths: entries.map((line) => line.slice(3).replace(/\/$/, "")),
    counts: { changed: entries.length - untracked, untracked },
  };
}

const FOLDERS = ["src", "src/only", "src/deep", "src/deep/er", "other", "new", "new/Ünïcode", "build"];
const NAMES = ["a.txt", "one.txt", "x.log", "keep.log", "secret.txt", "with space", "-x", "line\nbreak"];

function changeSomething(random: Random): string {
  const folder = random.pick(FOLDERS);
  const path = at(`${folder}/${random.pick(NAMES)}`);
  const makeFolder = (): unknown => mkdirSync(at(folder), { recursive: true });
  const change = random.pick([
    () => [makeFolder(), writeFileSync(path, `text ${random.below(5)}\r\n`)],
    () => [makeFolder(), writeFileSync(path, random.pick(["", "a\n", "one\n"]))],
    () => [makeFolder(), rmSync(path, { force: true }), symlinkSync(`to-${random.below(3)}`, path)],
    () => [makeFolder(), writeFileSync(path, "run\n"), chmodSync(path, 0o755)],
    () => rmSync(path, { recursive: true, force: true }),
    () => rmSync(at(folder), { recursive: true, force: true }),
    () => renameSync(at(folder), at(`moved-${random.below(3)}`)),
    () => [rmSync(at(folder), { recursive: true, force: true }), writeFileSync(at(folder), "a file\n")],
  ]);
  try {
    change();
  } catch {
    // What is in the way of a random change stays.
  }
  return folder;
}

describe("work whose written paths are known", () => {
  it.each(Array.from({ length: 15 }, (_, seed) => seed + 1))(
    "is the tree that git would write, seed %i",
    async (seed) => {
      const random = createRandom(seed);
      let written = 0;
      for (let round = 0; round < 8; round += 1) {
        const touched = Array.from({ length: 1 + random.below(3) }, () => changeSomething(random));
        const { paths, counts } = readGitStatus();
        // More than was changed may be named, and folders in the place of what is in them.
        const named = random.chance(0.5) ? [...paths, "README.md"] : [...paths, ...touched];
        const own = await capture([...new Set(named)]);
        const tree = readGitTree();
        if (own !== undefined) {
          expect(own.tree ?? project.git("rev-parse", "HEAD^{tree}").trim()).toBe(tree);
          expect(own.counts).toStrictEqual(counts);
          written += 1;
        }
        project.git("add", "--all");
        project.git("commit", "--quiet", "--allow-empty", "-m", "next");
      }
      expect(written).toBeGreaterThan(0);
      expect(project.git("fsck", "--strict", "--no-dangling")).toBe("");
    },
  );

  it("is written without git where it can be", async () => {
    project.write("src/only/one.txt", "changed\n");
    project.write("src/new/file.txt", "new\n");
    rmSync(at("src/deep"), { recursive: true });
    const tree = readGitTree();
    const own = await capture(["src/only", "src/new", "src/deep", "README.md"]);
    expect(own).toMatchObject({ tree, counts: { changed: 3, untracked: 1 }, leftOut: [] });
    expect(own?.changes?.map(({ path }) => path)).toStrictEqual([
      "src/deep/b.txt",
      "src/deep/er/c.txt",
      "src/new/file.txt",
      "src/only/one.txt",
    ]);
  });

  it("is no tree where nothing differs", async () => {
    project.write("src/a.txt", "a\n");
    const own = await capture(["src/a.txt", "src/deep", "never-there"]);
    expect(own).toMatchObject({ tree: undefined, counts: { changed: 0, untracked: 0 } });
  });

  it("takes a tracked file although a rule ignores it", async () => {
    project.write("tracked.log", "1\n");
    project.git("add", "--force", "tracked.log");
    project.git("commit", "--quiet", "-m", "log");
    project.write("tracked.log", "2\n");
    expect((await capture(["tracked.log"]))?.tree).toBe(readGitTree());
  });

  it.each<readonly [string, readonly string[], () => unknown]>([
    ["a rule of the project ignores a new file", ["src/x.log"], () => project.write("src/x.log", "x")],
    ["a rule of a folder does", ["other/secret.txt"], () => project.write("other/secret.txt", "x")],
    ["a rule of the user does", ["mine.tmp"], () => ignoreForUser("*.tmp\n", "mine.tmp")],
    ["a rule of the repository does", ["mine.tmp"], () => ignoreHere("*.tmp\n", "mine.tmp")],
    ["a folder above is ignored", ["build/x.txt"], () => project.write("build/x.txt", "x")],
    [
      "a new folder has its own rules",
      ["new"],
      () => ["new/.gitignore", "new/x"].map((p) => project.write(p, "x")),
    ],
    ["attributes concern it", ["src/a.txt"], () => change(".gitattributes", "* text\n")],
    [
      "attributes would change a file that was only touched",
      ["crlf.txt"],
      () => commitUnconverted("crlf.txt"),
    ],
    ["attributes of the repository do", ["src/a.txt"], () => change(".git/info/attributes", "* text\n")],
    ["a repository is inside", ["new"], () => nest("new/inner")],
    ["a repository is the folder", ["new"], () => nest("new")],
    ["a submodule is there", ["sub/x.txt"], () => addGitlink("sub", "sub/x.txt")],
    ["a file becomes a folder", ["src/a.txt"], () => replaceByFolder("src/a.txt")],
    ["a file becomes an empty folder", ["src/a.txt"], () => replaceByEmptyFolder("src/a.txt")],
    ["a folder becomes a file", ["src/deep"], () => replaceByFile("src/deep")],
    ["a folder becomes a link", ["src/deep/b.txt"], () => replaceByLink("src/deep")],
    ["a pipe is there", ["pipe"], () => execFileSync("mkfifo", [at("pipe")])],
    ["a name would be a git directory elsewhere", [".GIT/x"], () => project.write(".GIT/x", "x")],
    ["backslashes would make it one", ["a\\.git"], () => project.write("a\\.git", "x")],
    ["a link would be .gitmodules elsewhere", [".GITMODULES"], () => symlinkSync("x", at(".GITMODULES"))],
    ["its short name would", ["src"], () => symlinkSync("x", at("src/gi7eba~1"))],
    ["a file is large", ["large"], () => writeFileSync(at("large"), Buffer.alloc(5 * 1024 * 1024))],
    ["files are many", ["many"], () => writeMany("many", 201)],
    ["files are many, though none differs", ["many"], () => commitMany("many", 201)],
    ["git would write another mode", ["README.md"], () => commitOldMode("README.md")],
  ])("is left to git where %s", async (_, paths, prepare) => {
    // The control: without that, it is not.
    project.write("plain.txt", "plain\n");
    expect(await capture(["plain.txt"])).toBeDefined();
    prepare();
    expect(await capture(paths)).toBeUndefined();
  });

  it("is compared without reading the files of the commit", async () => {
    const bin = join(project.home, "bin");
    mkdirSync(bin);
    const searchPath = process.env["PATH"] ?? "";
    const script = `#!/bin/sh\nPATH='${searchPath}' git "$@" > ${bin}/answer || exit\ncat ${bin}/answer >> ${bin}/printed\ncat ${bin}/answer\n`;
    writeFileSync(join(bin, "git"), script, { mode: 0o755 });
    // Known trees are remembered by their content, so these must be new.
    project.write("src/large.txt", `long content, ${Math.random()}\n`);
    project.git("add", "--all");
    project.git("commit", "--quiet", "-m", "large");
    rmSync(at("src/large.txt"));
    const repository = {
      ...project.repository,
      host: { searchPath: `${bin}:${searchPath}`, home: project.home },
    };
    const request = { repository, head: readHead(), workTree: project.root, alsoIgnored: [] };
    expect(await captureWritten({ ...request, paths: ["src/large.txt"] })).toMatchObject({
      tree: readGitTree(),
    });
    const printed = readFileSync(join(bin, "printed"), "latin1");
    expect(printed).toContain("large.txt");
    expect(printed).not.toContain("long content");
  });

  it("is left to git where a file was brought for its worker", async () => {
    project.write("brought/key.txt", "key\n");
    expect(await capture(["brought/key.txt"])).toBeDefined();
    expect(await capture(["brought/key.txt"], ["/brought/key.txt"])).toBeUndefined();
  });
});

function change(path: string, content: string): void {
  project.write(path, content);
  project.write("src/a.txt", "changed\n");
}

function ignoreHere(rules: string, path: string): void {
  appendFileSync(at(".git/info/exclude"), rules);
  project.write(path, "x");
}

function ignoreForUser(rules: string, path: string): void {
  writeFileSync(join(project.home, "ignore"), rules);
  project.git("config", "--global", "core.excludesFile", "~/ignore");
  project.write(path, "x");
}

function nest(folder: string): void {
  mkdirSync(at(folder), { recursive: true });
  execFileSync("git", ["init", "--quiet", at(folder)]);
  project.write(`${folder}/x.txt`, "x");
}

function addGitlink(folder: string, file: string): void {
  project.git("update-index", "--add", "--cacheinfo", `160000,${readHead()},${folder}`);
  project.git("commit", "--quiet", "-m", "submodule");
  project.write(file, "x");
}

function replaceByFolder(path: string): void {
  rmSync(at(path));
  project.write(`${path}/inner.txt`, "inner\n");
}

function replaceByEmptyFolder(path: string): void {
  rmSync(at(path));
  mkdirSync(at(path));
}

function replaceByFile(path: string): void {
  rmSync(at(path), { recursive: true });
  project.write(path, "a file\n");
}

/** What is behind the link has a file of the same name. */
function replaceByLink(path: string): void {
  rmSync(at(path), { recursive: true });
  mkdirSync(join(project.home, "elsewhere"));
  writeFileSync(join(project.home, "elsewhere/b.txt"), "other\n");
  symlinkSync(join(project.home, "elsewhere"), at(path));
}

function writeMany(folder: string, count: number): void {
  for (let index = 0; index < count; index += 1) project.write(`${folder}/${index}.txt`, "x");
}

function commitMany(folder: string, count: number): void {
  writeMany(folder, count);
  project.git("add", "--all");
  project.git("commit", "--quiet", "-m", "many");
}

/** The attributes came later, so the next `git add` of the file changes it in the repository. */
function commitUnconverted(path: string): void {
  project.write(path, "one\r\n");
  project.git("add", "--all");
  project.git("commit", "--quiet", "-m", "line ends");
  project.write(".gitattributes", "* text\n");
}

/** As early versions of git did. */
function commitOldMode(path: string): void {
  const tree = execFileSync("git", ["cat-file", "tree", "HEAD"], { cwd: project.root });
  const old = Buffer.from(tree.toString("latin1").replace(`100644 ${path}`, `100664 ${path}`), "latin1");
  const words = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
  const id = execFileSync("git", words, { cwd: project.root, input: old }).toString().trim();
  project.git("reset", "--quiet", project.git("commit-tree", "-m", "old", "-p", "HEAD", id).trim());
  project.write(path, "changed\n");
}
