import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importWork } from "../../src/workspace/import-work.ts";
import { checkRepository, type Preflight } from "../../src/workspace/preflight.ts";
import { getStateDirectory } from "../../src/project/state-directory.ts";
import { takeSnapshot, userCheckout } from "../../src/workspace/snapshot.ts";
import { createWorkspace, type Workspace } from "../../src/workspace/worktree.ts";
import { openRepository } from "../../src/workspace/repository.ts";
import { makeRepository, runPlainGit, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

let project: TemporaryRepository;

beforeEach(async () => {
  project = await makeRepository();
});

afterEach(() => project.remove());

function look(directory = project.root): Promise<Preflight> {
  const { stateDirectory, home } = project;
  return checkRepository({
    directory,
    stateDirectory,
    host: { searchPath: process.env["PATH"] ?? "", home },
  });
}

function codes(found: Preflight): readonly string[] {
  return found.refusals.map(({ code }) => code);
}

function kinds(found: Preflight): readonly string[] {
  return found.notes.map(({ kind }) => kind);
}

/** Snapshot, workspace and import in another checkout, with one edit. */
async function walkThrough(root: string): Promise<{ workspace: Workspace; paths: readonly string[] }> {
  const repository = await openRepository(root, {
    searchPath: process.env["PATH"] ?? "",
    home: project.home,
  });
  const stateDirectory = getStateDirectory(root);
  const id = "US-1-DEL-001";
  const taken = await takeSnapshot({ repository, stateDirectory, id, checkout: userCheckout(repository) });
  const workspace = await createWorkspace({ repository, stateDirectory }, { id, base: taken.commit });
  writeFileSync(join(workspace.path, "src/a.txt"), "work\n");
  const { filesChanged } = await importWork({ repository, stateDirectory }, { id, message: "Work\n" });
  return { workspace, paths: filesChanged.map(({ path }) => path) };
}

describe("preflight", () => {
  it("reports nothing about an ordinary repository", async () => {
    expect(await look()).toMatchObject({ refusals: [], notes: [], canBePooled: true, files: 3 });
  });

  it("refuses a folder without a repository", async () => {
    expect(codes(await look("/"))).toStrictEqual(["NOT_A_REPOSITORY"]);
  });

  it("refuses a bare repository", async () => {
    const bare = join(project.root, "../bare.git");
    project.git("clone", "-q", "--bare", project.root, bare);
    expect(codes(await look(bare))).toStrictEqual(["BARE_REPOSITORY"]);
  });

  it.each([
    ["has a line break", "line\nbreak"],
    ["is not UTF-8", Buffer.from([0x63, 0xe9])],
  ])("refuses a repository whose path %s, and says so", async (_, name) => {
    const odd = Buffer.concat([Buffer.from(join(project.root, "../")), Buffer.from(name)]);
    mkdirSync(odd);
    runPlainGit(
      project.root,
      ["init", "-q", "--separate-git-dir", join(project.root, "../kept")],
      project.home,
    );
    writeFileSync(Buffer.concat([odd, Buffer.from("/.git")]), `gitdir: ${join(project.root, "../kept")}\n`);
    const link = join(project.root, "../link");
    symlinkSync(odd, link);
    const { refusals } = await look(link);
    expect(refusals).toMatchObject([{ code: "NOT_A_REPOSITORY" }]);
    expect(refusals[0]?.message).toContain("has a line break or is not UTF-8");
  });

  it("refuses a repository without a commit", async () => {
    const empty = join(project.root, "../empty");
    mkdirSync(empty);
    runPlainGit(empty, ["init", "-q"], project.home);
    expect(codes(await look(empty))).toStrictEqual(["UNBORN_HEAD"]);
  });

  it("refuses if a branch named delegation is in the way", async () => {
    project.git("branch", "delegation");
    const found = await look();
    expect(codes(found)).toStrictEqual(["BRANCH_NAME_TAKEN"]);
    expect(found.refusals[0]?.recommendation).toContain("git branch -m delegation");
  });

  it("refuses a git that is too old", async () => {
    const bin = join(project.root, "../bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 2.30.2\n", { mode: 0o755 });
    const { stateDirectory, home } = project;
    const host = { searchPath: bin, home };
    const found = await checkRepository({ directory: project.root, stateDirectory, host });
    expect(found.refusals).toMatchObject([
      { code: "GIT_TOO_OLD", message: expect.stringContaining("2.30.2") },
    ]);
  });

  it("refuses refs that are not plain files", async () => {
    const config = readFileSync(join(project.root, ".git/config"), "utf8");
    writeFileSync(join(project.root, ".git/config"), `${config}[extensions]\n\trefStorage = reftable\n`);
    expect(codes(await look())).toStrictEqual(["REF_STORAGE_UNSUPPORTED"]);
  });

  it("handles a shallow clone", async () => {
    project.write("src/a.txt", "second\n");
    project.git("commit", "-qam", "Second");
    const clone = join(project.root, "../shallow");
    project.git("clone", "-q", "--depth=1", `file://${project.root}`, clone);
    expect(kinds(await look(clone))).toStrictEqual(["shallow"]);
    expect((await walkThrough(clone)).paths).toStrictEqual(["src/a.txt"]);
  });

  it("handles a sparse checkout: the same part of the tree, the rest untouched", async () => {
    project.write("other/big.txt", "big\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Other");
    project.git("sparse-checkout", "set", "src");
    const before = userState(project);
    const found = await look();
    expect(kinds(found)).toStrictEqual(["sparse"]);
    expect(found.canBePooled).toBe(false);
    const { workspace, paths } = await walkThrough(project.root);
    expect(paths).toStrictEqual(["src/a.txt"]);
    expect(() => readFileSync(join(workspace.path, "other/big.txt"))).toThrow();
    expect(project.git("ls-tree", "-r", "--name-only", "delegation/US-1-DEL-001")).toContain("other/big.txt");
    expect(userState(project)).toStrictEqual(before);
  });

  it("handles submodules: empty in the workspace, unchanged in the work", async () => {
    const inner = join(project.root, "../inner");
    project.git("clone", "-q", project.root, inner);
    project.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "sub");
    project.git("commit", "-qm", "Submodule");
    const found = await look();
    expect(found.notes).toMatchObject([
      { kind: "submodules", message: expect.stringContaining("sub are empty") },
    ]);
    const before = userState(project);
    expect((await walkThrough(project.root)).paths).toStrictEqual(["src/a.txt"]);
    expect(userState(project)).toStrictEqual(before);
  });

  it("handles LFS pointers: they stay pointers", async () => {
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n";
    project.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    project.write("data.bin", pointer);
    project.git("add", "-A");
    project.git("commit", "-qm", "Pointer");
    project.git("config", "filter.lfs.smudge", "sh -c 'echo smudged'");
    project.git("config", "filter.lfs.clean", "sh -c 'echo cleaned'");
    project.git("config", "filter.lfs.required", "true");
    const found = await look();
    expect(found.notes).toMatchObject([{ kind: "filtered-files", message: expect.stringContaining("lfs") }]);
    const { workspace, paths } = await walkThrough(project.root);
    expect(paths).toStrictEqual(["src/a.txt"]);
    expect(readFileSync(join(workspace.path, "data.bin"), "utf8")).toBe(pointer);
  });

  it("handles a user's linked worktree and a detached HEAD", async () => {
    const linked = join(project.root, "../linked");
    project.git("worktree", "add", "-q", "--detach", linked);
    writeFileSync(join(linked, "draft.txt"), "draft\n");
    expect(kinds(await look(linked))).toStrictEqual(["linked-worktree", "detached-head"]);
    const { workspace } = await walkThrough(linked);
    expect(readFileSync(join(workspace.path, "draft.txt"), "utf8")).toBe("draft\n");
  });

  it("reports locks of the user's git and leaves them", async () => {
    writeFileSync(join(project.root, ".git/index.lock"), "");
    writeFileSync(join(project.root, ".git/refs/heads/main.lock"), "");
    const found = await look();
    expect(found.notes).toMatchObject([
      { kind: "locked", message: expect.stringContaining(".git/index.lock, .git/refs/heads/main.lock") },
    ]);
    expect((await walkThrough(project.root)).paths).toStrictEqual(["src/a.txt"]);
    expect(readFileSync(join(project.root, ".git/index.lock"), "utf8")).toBe("");
  });

  it("handles names that are not UTF-8", async () => {
    const odd = Buffer.concat([Buffer.from(`${project.root}/caf`), Buffer.from([0xe9])]);
    writeFileSync(odd, "x");
    project.git("add", "-A");
    project.git("commit", "-qm", "Odd name");
    expect(kinds(await look())).toStrictEqual(["names-not-utf8"]);
    const { workspace } = await walkThrough(project.root);
    const copy = Buffer.concat([Buffer.from(`${workspace.path}/caf`), Buffer.from([0xe9])]);
    expect(readFileSync(copy, "utf8")).toBe("x");
  });

  it("handles SHA-256 repositories", async () => {
    const root = join(project.root, "../sha256");
    mkdirSync(join(root, "src"), { recursive: true });
    runPlainGit(root, ["init", "-q", "--object-format=sha256"], project.home);
    writeFileSync(join(root, "src/a.txt"), "a\n");
    writeFileSync(join(root, "gone.txt"), "a\n");
    runPlainGit(root, ["add", "-A"], project.home);
    runPlainGit(root, ["commit", "-qm", "Start"], project.home);
    rmSync(join(root, "gone.txt"));
    expect((await walkThrough(root)).paths).toStrictEqual(["src/a.txt"]);
  });

  it("handles a partial clone whose commit is complete", async () => {
    project.git("config", "uploadpack.allowFilter", "true");
    const clone = join(project.root, "../partial");
    project.git("clone", "-q", "--filter=blob:none", `file://${project.root}`, clone);
    expect(kinds(await look(clone))).toStrictEqual(["partial-clone"]);
    expect((await walkThrough(clone)).paths).toStrictEqual(["src/a.txt"]);
  });

  it("counts the files of a large repository", async () => {
    const script = ["blob\nmark :1\ndata 1\nx\n", "commit refs/heads/large\n"];
    script.push("committer x <x@x> 1700000000 +0000\ndata 1\nx\n");
    for (let index = 0; index < 50_000; index += 1) script.push(`M 100644 :1 d${index % 100}/f${index}\n`);
    execFileSync("git", ["fast-import", "--quiet"], { cwd: project.root, input: script.join("") });
    project.git("symbolic-ref", "HEAD", "refs/heads/large");
    project.git("read-tree", "large");
    const found = await look();
    expect(found.files).toBe(50_000);
    expect(kinds(found)).toStrictEqual(["large"]);
  });
});
