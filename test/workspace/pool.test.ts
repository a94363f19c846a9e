import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importWork } from "../../src/workspace/import-work.ts";
import { listOrphans } from "../../src/workspace/orphans.ts";
import { type PoolSettings, WorkspacePool } from "../../src/workspace/pool.ts";
import type { Workspace } from "../../src/workspace/worktree.ts";
import { makeRepository, runPlainGit, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

let project: TemporaryRepository;
const pools: WorkspacePool[] = [];

beforeEach(async () => {
  project = await makeRepository({
    ".gitignore": "node_modules/\n*.log\n.env\nbuild/\n",
    "src/a.txt": "a\n",
    "src/deep/b.txt": "b\n",
  });
});

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  project.remove();
});

async function openPool(size: number, more: Partial<PoolSettings> = {}): Promise<WorkspacePool> {
  const { repository, stateDirectory } = project;
  const problems: unknown[] = [];
  const pool = new WorkspacePool({
    repository,
    stateDirectory,
    size,
    settleMs: 0,
    onProblem: (error) => problems.push(error),
    ...more,
  });
  pools.push(pool);
  pool.aimAtCommit(head());
  await pool.settled();
  expect(problems).toStrictEqual([]);
  return pool;
}

function head(): string {
  return project.git("rev-parse", "HEAD").trim();
}

function gitIn(workspace: Workspace, ...words: string[]): string {
  return runPlainGit(workspace.path, ["-c", "user.name=w", "-c", "user.email=w@w", ...words], project.home);
}

async function finish(pool: WorkspacePool, workspace: Workspace): Promise<void> {
  const { repository, stateDirectory } = project;
  await importWork({ repository, stateDirectory }, { id: workspace.id, message: "Work\n" });
  expect(await pool.giveBack({ id: workspace.id, path: workspace.path })).toStrictEqual({
    status: "released",
  });
  await pool.settled();
}

/** Every file of a folder that is not `.git`, with its content. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name !== ".git");
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const stats = lstatSync(join(folder, name));
      const content = stats.isFile() ? readFileSync(join(folder, name), "utf8") : "";
      return [name, `${stats.isFile() ? "file" : "other"} ${stats.mode.toString(8)} ${content}`];
    }),
  );
}

describe("the pool", () => {
  it("hands out a clean, warm checkout of the requested commit on its own branch", async () => {
    const before = userState(project);
    const pool = await openPool(2);
    expect(pool.waiting).toBe(2);
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-001", base: head() });
    expect(workspace.fromPool).toBe(true);
    expect(gitIn(workspace, "rev-parse", "--abbrev-ref", "HEAD").trim()).toBe("delegation/US-1-DEL-001");
    expect(gitIn(workspace, "rev-parse", "HEAD").trim()).toBe(head());
    expect(gitIn(workspace, "status", "--porcelain", "--ignored")).toBe("");
    expect(project.git("rev-parse", "refs/ambit/base/US-1-DEL-001").trim()).toBe(head());
    expect(userState(project)).toStrictEqual(before);
  });

  it("moves a waiting checkout if another commit is requested", async () => {
    const pool = await openPool(1);
    project.write("src/a.txt", "newer\n");
    project.write("src/new.txt", "new\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Newer");
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-002", base: head() });
    expect(workspace.fromPool).toBe(true);
    expect(readFileSync(join(workspace.path, "src/new.txt"), "utf8")).toBe("new\n");
    expect(gitIn(workspace, "status", "--porcelain")).toBe("");
  });

  it("moves a waiting checkout to a commit that contains a file which was copied there", async () => {
    project.write(".worktreeinclude", ".env\n");
    project.write(".env", "KEY=1\n");
    const pool = await openPool(1);
    project.git("add", "-f", ".env");
    project.git("commit", "-qm", "Tracked now");
    project.write(".env", "KEY=uncommitted\n");
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-035", base: head() });
    expect(workspace.fromPool).toBe(true);
    expect(gitIn(workspace, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(workspace.path, ".env"), "utf8")).toBe("KEY=1\n");
  });

  it("makes a workspace from scratch if none waits", async () => {
    const pool = await openPool(1);
    const [first, second] = await Promise.all(
      ["US-1-DEL-003", "US-1-DEL-004"].map((id) => pool.takeWorkspace({ id, base: head() })),
    );
    expect([first?.fromPool, second?.fromPool]).toStrictEqual([true, false]);
  });

  it("never shows a worker what another one left", async () => {
    project.write("node_modules/left/index.js", "original\n");
    project.write(".worktreeinclude", ".env\n");
    project.write(".env", "KEY=1\n");
    const pool = await openPool(1, { dependencyWay: "copy" });
    const first = await pool.takeWorkspace({ id: "US-1-DEL-005", base: head() });
    const fresh = contentOf(first.path);
    writeFileSync(join(first.path, "secret.log"), "ignored\n");
    mkdirSync(join(first.path, "build/empty"), { recursive: true });
    writeFileSync(join(first.path, "build/out"), "ignored\n");
    writeFileSync(join(first.path, "untracked.txt"), "untracked\n");
    writeFileSync(join(first.path, ".env"), "KEY=stolen\n");
    writeFileSync(join(first.path, "src/a.txt"), "changed\n");
    writeFileSync(join(first.path, ".gitignore"), "everything\n*\n");
    writeFileSync(join(first.path, "node_modules/left/index.js"), "ORIGINAL\n");
    rmSync(join(first.path, "src/deep"), { recursive: true });
    symlinkSync("/etc", join(first.path, "src/deep"));
    execFileSync("mkfifo", [join(first.path, "pipe")]);
    execFileSync("git", ["init", "-q", join(first.path, "nested")]);
    gitIn(first, "commit", "-q", "--allow-empty", "-m", "In the log");
    writeFileSync(join(project.root, ".git/worktrees", first.path.split("/").at(-1) ?? "", "ORIG_HEAD"), "x");
    await finish(pool, first);
    const second = await pool.takeWorkspace({ id: "US-1-DEL-006", base: head() });
    expect(second.path).toBe(first.path);
    expect(contentOf(second.path)).toStrictEqual(fresh);
    expect(gitIn(second, "status", "--porcelain")).toBe("");
    expect(gitIn(second, "reflog")).not.toContain("In the log");
    expect(existsSync(join(gitIn(second, "rev-parse", "--absolute-git-dir").trim(), "ORIG_HEAD"))).toBe(
      false,
    );
    expect(readFileSync(join(project.root, "node_modules/left/index.js"), "utf8")).toBe("original\n");
  });

  it("keeps untouched dependency copies and renews touched ones", async () => {
    project.write("node_modules/left/index.js", "original\n");
    const pool = await openPool(1, { dependencyWay: "copy" });
    const first = await pool.takeWorkspace({ id: "US-1-DEL-007", base: head() });
    const inode = lstatSync(join(first.path, "node_modules/left/index.js")).ino;
    await finish(pool, first);
    const second = await pool.takeWorkspace({ id: "US-1-DEL-008", base: head() });
    expect(lstatSync(join(second.path, "node_modules/left/index.js")).ino).toBe(inode);
    writeFileSync(join(second.path, "node_modules/left/index.js"), "Original\n");
    await finish(pool, second);
    const third = await pool.takeWorkspace({ id: "US-1-DEL-009", base: head() });
    expect(readFileSync(join(third.path, "node_modules/left/index.js"), "utf8")).toBe("original\n");
  });

  it("renews layers of dependencies (where this machine can mount them)", async () => {
    project.write("node_modules/left/index.js", "original\n");
    const pool = await openPool(1);
    const first = await pool.takeWorkspace({ id: "US-1-DEL-010", base: head() });
    writeFileSync(join(first.path, "node_modules/left/index.js"), "changed\n");
    writeFileSync(join(first.path, "node_modules/added"), "x");
    await finish(pool, first);
    const second = await pool.takeWorkspace({ id: "US-1-DEL-011", base: head() });
    expect(readFileSync(join(second.path, "node_modules/left/index.js"), "utf8")).toBe("original\n");
    expect(existsSync(join(second.path, "node_modules/added"))).toBe(false);
  });

  it("copies dependencies and included files as the user has them now", async () => {
    project.write("node_modules/left/index.js", "one\n");
    project.write(".worktreeinclude", ".env\n");
    project.write(".env", "KEY=1\n");
    const pool = await openPool(1, { dependencyWay: "copy" });
    rmSync(join(project.root, "node_modules/left"), { recursive: true });
    project.write("node_modules/right/index.js", "two\n");
    pool.aimAtCommit(head());
    await pool.settled();
    project.write(".env", "KEY=22\n");
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-012", base: head() });
    expect(readdirSync(join(workspace.path, "node_modules"))).toStrictEqual(["right"]);
    expect(readFileSync(join(workspace.path, ".env"), "utf8")).toBe("KEY=22\n");
  });

  it("discards a tampered checkout and makes another", async () => {
    const pool = await openPool(1, { onProblem: () => undefined });
    const first = await pool.takeWorkspace({ id: "US-1-DEL-013", base: head() });
    rmSync(join(first.path, ".git"));
    execFileSync("git", ["init", "-q", first.path]);
    const { repository, stateDirectory } = project;
    await importWork({ repository, stateDirectory }, { id: first.id, message: "Work\n" });
    await pool.giveBack({ id: first.id, path: first.path });
    await pool.settled();
    pool.aimAtCommit(head());
    await pool.settled();
    const second = await pool.takeWorkspace({ id: "US-1-DEL-014", base: head() });
    expect(second.path).not.toBe(first.path);
    expect(second.fromPool).toBe(true);
    expect(existsSync(first.path)).toBe(false);
  });

  it("refuses to take back unsaved work, and keeps it", async () => {
    const pool = await openPool(1);
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-015", base: head() });
    writeFileSync(join(workspace.path, "src/a.txt"), "unsaved\n");
    const answer = await pool.giveBack({ id: workspace.id, path: workspace.path });
    expect(answer).toMatchObject({ status: "refused", code: "WORK_NOT_SAVED" });
    await pool.settled();
    expect(readFileSync(join(workspace.path, "src/a.txt"), "utf8")).toBe("unsaved\n");
  });

  it("gives the same checkout to only one of two pools, and takes over what the other left", async () => {
    const pool = await openPool(2);
    const other = await openPool(2);
    expect(other.waiting).toBe(2);
    const taken = await Promise.all([
      pool.takeWorkspace({ id: "US-1-DEL-016", base: head() }),
      other.takeWorkspace({ id: "US-1-DEL-017", base: head() }),
      pool.takeWorkspace({ id: "US-1-DEL-018", base: head() }),
      other.takeWorkspace({ id: "US-1-DEL-019", base: head() }),
    ]);
    expect(new Set(taken.map(({ path }) => path)).size).toBe(4);
    expect(taken.filter(({ fromPool }) => fromPool)).toHaveLength(2);
  });

  it("frees the checkout again if the branch already exists", async () => {
    const pool = await openPool(1);
    project.git("branch", "delegation/US-1-DEL-020");
    const taken = pool.takeWorkspace({ id: "US-1-DEL-020", base: head() });
    await expect(taken).rejects.toMatchObject({ code: "BRANCH_EXISTS" });
    await pool.settled();
    expect(pool.waiting).toBe(1);
    expect((await pool.takeWorkspace({ id: "US-1-DEL-021", base: head() })).fromPool).toBe(true);
  });

  it("leaves no branch if the checkout could not be put on it, so that the next request gets one", async () => {
    const pool = await openPool(1);
    const [slot = ""] = readdirSync(join(project.root, ".git/worktrees"));
    const file = join(project.root, ".git/worktrees", slot, "HEAD");
    rmSync(file);
    mkdirSync(join(file, "in-the-way"), { recursive: true });
    const request = { id: "US-1-DEL-023", base: head() };
    await expect(pool.takeWorkspace(request)).rejects.toThrow(/EISDIR|ENOTEMPTY/);
    expect(project.git("for-each-ref", "refs/heads/delegation", "refs/ambit/base")).toBe("");
    await expect(pool.takeWorkspace(request)).resolves.toMatchObject({ id: request.id });
  });

  it("keeps no checkouts of a repository with submodules", async () => {
    const inner = join(project.root, "..", "inner");
    project.git("clone", "-q", project.root, inner);
    project.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "sub");
    project.git("commit", "-qm", "Submodule");
    const pool = await openPool(2);
    expect(pool.waiting).toBe(0);
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-022", base: head() });
    expect(workspace.fromPool).toBe(false);
    expect(readdirSync(join(workspace.path, "sub"))).toStrictEqual([]);
    const { repository, stateDirectory } = project;
    const imported = await importWork(
      { repository, stateDirectory },
      { id: workspace.id, message: "Work\n" },
    );
    expect(imported.nothingChanged).toBe(true);
  });

  it("leaves no orphan behind", async () => {
    const pool = await openPool(2);
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-024", base: head() });
    await finish(pool, workspace);
    await pool.close();
    const { repository, stateDirectory } = project;
    const owners = { live: new Set<string>(), known: new Set(["US-1-DEL-024"]) };
    expect(await listOrphans({ repository, stateDirectory }, owners)).toStrictEqual([]);
  });
});
