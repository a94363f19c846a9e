import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { beginTree } from "../../src/workspace/begin-tree.ts";
import { CandidateReserve } from "../../src/workspace/candidate.ts";
import { importWork } from "../../src/workspace/import-work.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { canMountOverlay, listMounts } from "../../src/workspace/prepare/overlay.ts";
import { createWorkspace } from "../../src/workspace/worktree.ts";
import { makeRepository, removeByHand, type TemporaryRepository } from "./temporary-repository.ts";

/** As many as it takes for an image. */
const FILES = 10_000;
const id = "US-1-DEL-001";
const large = "0123456789abcdef".repeat(150_000);

let project: TemporaryRepository;
let commit: string;
let canMount: boolean;

beforeAll(async () => {
  project = await makeRepository();
  commit = importCommit(project, Array.from({ length: FILES }, describeFile));
  // The files of the user's checkout are not needed, only the index that lists them.
  project.git("reset", "-q", commit);
  mkdirSync(project.stateDirectory, { recursive: true });
  canMount = await canMountOverlay(process.env["PATH"] ?? "", project.stateDirectory);
});

beforeEach(({ skip }) => {
  if (!canMount) skip();
});

afterEach(() => {
  for (const target of listMounts(project.stateDirectory).toReversed())
    execFileSync("umount", ["-l", target]);
  rmSync(project.stateDirectory, { recursive: true });
  mkdirSync(project.stateDirectory);
  project.git("worktree", "prune");
  for (const ref of project
    .git("for-each-ref", "--format=%(refname)", "refs/ambit", "refs/heads/delegation")
    .split("\n"))
    if (ref !== "") project.git("update-ref", "-d", ref);
});

afterAll(() => project.remove());

function describeFile(_: unknown, index: number): string {
  return describeText(`many/${index % 7}/a-${index}.txt`, "x".repeat(index % 3 === 0 ? 0 : index % 9000));
}

function describeText(path: string, text: string, mode = "100644"): string {
  return `M ${mode} inline ${path}\ndata ${text.length}\n${text}\n`;
}

/** Adds files to the commit that is checked out, without checking them out. */
function importCommit(repository: TemporaryRepository, files: readonly string[]): string {
  const header = "commit refs/import\ncommitter Ada <ada@example.org> 1700000001 +0000\ndata 4\nMany\n";
  const input = `${header}from ${repository.git("rev-parse", "HEAD").trim()}\n${files.join("")}`;
  execFileSync("git", ["fast-import", "--quiet", "--force"], { cwd: repository.root, input });
  return repository.git("rev-parse", "refs/import").trim();
}

function template(...path: string[]): string {
  return join(project.stateDirectory, "templates", `tree-${commit}`, ...path);
}

function treeNames(): readonly string[] {
  return readdirSync(join(project.stateDirectory, "templates")).map((name) => name.replace(commit, "commit"));
}

function runGit(folder: string, ...words: readonly string[]): string {
  return execFileSync("git", words, { cwd: folder, encoding: "latin1" });
}

/** Everything that a program sees of the files, their bytes and times aside. */
function listFacts(folder: string): readonly string[] {
  const words = [".", "-path", "./.git*", "-prune", "-o", "-type", "d", "-o"];
  const facts = ["-printf", "%P %y %m %s %l %n\\n"];
  return execFileSync("find", [...words, ...facts], { cwd: folder, encoding: "latin1" })
    .split("\n")
    .toSorted();
}

/** Has git read the bytes of every file. */
function findDifferent(folder: string): string {
  const env = { ...process.env, GIT_INDEX_FILE: join(dirname(project.root), "fresh-index") };
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, encoding: "utf8", env });
  git("read-tree", commit);
  git("update-index", "-q", "--refresh");
  return git("ls-files", "--modified", "--deleted", "--others");
}

describe("the shared tree of a large repository", () => {
  it("is one image, in which every file is as git checks it out", async () => {
    commit = importCommit(project, [
      ...Array.from({ length: FILES }, describeFile),
      describeText("run.sh", "#!/bin/sh\n", "100755"),
      describeText("many/link", "../README.md", "120000"),
      describeText("large.txt", large),
      describeText('"many/caf\\303\\251\\377.txt"', "x"),
      describeText("many-more/z.txt", "z"),
      describeText(`${"deep/".repeat(40)}${"n".repeat(200)}.txt`, "d"),
      ...[4063, 4064, 4065, 4096, 8191].map((size) => describeText(`sizes/${size}.txt`, "s".repeat(size))),
      ...Array.from({ length: 400 }, (_, index) =>
        describeText(`wide/${"w".repeat(40)}${index}`, `${index}`),
      ),
    ]);
    const plain = join(dirname(project.root), "plain");
    project.git("worktree", "add", "-q", "--detach", plain, commit);
    const { path } = await createWorkspace(project, { id, base: commit });
    expect(readdirSync(template()).toSorted()).toStrictEqual(["image", "index", "mounted"]);
    expect(listFacts(path)).toStrictEqual(listFacts(plain));
    expect(findDifferent(path)).toBe("");
    expect(runGit(path, "status", "--porcelain")).toBe("");
    // Git has nothing to read: the index has the facts of every file.
    expect(runGit(path, "diff-files")).toBe("");
  });

  it("takes what its worker writes, removes and renames, and nothing else", async () => {
    const { path } = await createWorkspace(project, { id, base: commit });
    writeFileSync(join(path, "many/1/a-1.txt"), "changed");
    rmSync(join(path, "many/2/a-2.txt"));
    runGit(path, "mv", "many/3", "moved");
    writeFileSync(join(path, "new.txt"), "new");
    const { filesChanged } = await importWork(project, { id, message: "Work" });
    const names = filesChanged.map((file) => file.path);
    expect(names.filter((name) => !name.startsWith("many/3/") && !name.startsWith("moved/"))).toStrictEqual([
      "many/1/a-1.txt",
      "many/2/a-2.txt",
      "new.txt",
    ]);
    expect(runGit(project.root, "diff", "--shortstat", "-M", commit, `delegation/${id}`)).toContain(
      "files changed",
    );
    expect(readFileSync(template("mounted/files/many/1/a-1.txt"), "utf8")).toBe("x");
  });

  it("is not used again after another program wrote to its image", async () => {
    const reserve = new CandidateReserve(project);
    const candidate = await reserve.checkOut({ id, commit });
    expect(await candidate.wasLeftAlone()).toBe(true);
    const bytes = readFileSync(template("image"));
    utimesSync(template("image"), new Date(), new Date());
    writeFileSync(template("image"), bytes);
    expect(await candidate.wasLeftAlone()).toBe(false);
    await candidate.release();
    const next = await reserve.checkOut({ id, commit });
    expect(await next.wasLeftAlone()).toBe(true);
    await next.release();
    await reserve.close();
    expect(treeNames()).toStrictEqual(["tree-commit", "tree-commit-2"]);
  });

  it("is compared with its commit by a later process, and used if it is the same", async () => {
    await createWorkspace(project, { id, base: commit });
    vi.resetModules();
    const later = await import("../../src/workspace/worktree.ts");
    const { path } = await later.createWorkspace(project, { id: "US-1-DEL-002", base: commit });
    expect(readFileSync(join(path, "many/1/a-1.txt"), "utf8")).toBe("x");
    expect(runGit(path, "diff-files")).toBe("");
    expect(treeNames()).toStrictEqual(["tree-commit"]);
  });

  it("is mounted again if another program has unmounted it, or has mounted something else there", async () => {
    const first = await createWorkspace(project, { id, base: commit });
    execFileSync("umount", ["-l", template("mounted")]);
    // A layer keeps the files below it.
    expect(readFileSync(join(first.path, "many/1/a-1.txt"), "utf8")).toBe("x");
    const evil = join(dirname(project.root), "evil");
    mkdirSync(join(evil, "files/many/1"), { recursive: true });
    writeFileSync(join(evil, "files/many/1/a-1.txt"), "evil");
    execFileSync("mount", ["--bind", evil, template("mounted")]);
    const second = await createWorkspace(project, { id: "US-1-DEL-002", base: commit });
    expect(readFileSync(join(second.path, "many/1/a-1.txt"), "utf8")).toBe("x");
  });

  it("leaves no mount when the pool is closed", async () => {
    const pool = new WorkspacePool({ ...project, size: 1, settleMs: 0 });
    pool.aimAtCommit(commit);
    await pool.settled();
    expect(listMounts(project.stateDirectory)).toContain(template("mounted"));
    await pool.close();
    expect(listMounts(project.stateDirectory)).toStrictEqual([]);
  });

  it("is written before a workspace asks for it, once its story has begun", async () => {
    commit = project.git("rev-parse", "HEAD").trim();
    beginTree(project);
    await vi.waitFor(() => expect(existsSync(template("mounted/files"))).toBe(true), { timeout: 60_000 });
    await createWorkspace(project, { id, base: commit });
    expect(treeNames()).toStrictEqual(["tree-commit"]);
  });

  it("is written again for its workspaces after a person deleted it", async () => {
    const made = await createWorkspace(project, { id, base: commit });
    writeFileSync(join(made.path, "new.txt"), "new");
    for (const target of [made.path, template("mounted")]) execFileSync("umount", ["-l", target]);
    removeByHand(template());
    expect(existsSync(template())).toBe(false);
    const { filesChanged } = await importWork(project, { id, message: "Work" });
    expect(filesChanged.map((file) => file.path)).toStrictEqual(["new.txt"]);
  });

  it("is a checkout if git would not write the bytes of its objects", async () => {
    commit = importCommit(project, [
      describeText(".gitattributes", "*.txt text eol=crlf\n"),
      describeText("many/c.txt", "c\n"),
    ]);
    const { path } = await createWorkspace(project, { id, base: commit });
    expect(readdirSync(template()).toSorted()).toStrictEqual(["index", "tree"]);
    expect(readFileSync(join(path, "many/c.txt"), "utf8")).toBe("c\r\n");
  });
});
