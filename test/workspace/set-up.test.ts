import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importSandboxWork } from "../../src/workspace/import-sandbox-work.ts";
import { importWork } from "../../src/workspace/import-work.ts";
import { listOrphans } from "../../src/workspace/orphans.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { releaseWorkspace } from "../../src/workspace/remove.ts";
import { createSandboxClone } from "../../src/workspace/sandbox-clone.ts";
import {
  createWorkspace,
  type FreshCheckout,
  type SetUp,
  type WorkspaceSettings,
} from "../../src/workspace/worktree.ts";
import { sandboxOf } from "./run-in-sandbox.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const id = "US-1-DEL-001";
let project: TemporaryRepository;
let pool: WorkspacePool | undefined;
/** Every checkout the hook was called for. */
let calls: FreshCheckout[];

beforeEach(async () => {
  project = await makeRepository({ ".gitignore": "cache/\n*.log\nnode_modules/\n", "src/a.txt": "a\n" });
  calls = [];
});

afterEach(async () => {
  await pool?.close();
  pool = undefined;
  project.remove();
});

/** What a build leaves: a folder of its own, files beside the sources, both ignored. */
const build: SetUp = (checkout) => {
  expect(readFileSync(join(checkout.path, "src/a.txt"), "utf8")).toBe("a\n");
  calls.push(checkout);
  mkdirSync(join(checkout.path, "cache/deep"), { recursive: true });
  writeFileSync(join(checkout.path, "cache/deep/object"), "built\n");
  writeFileSync(join(checkout.path, "src/build .log"), "built\n");
  return Promise.resolve(undefined);
};

/** What a build leaves depends on the commit's files. */
const countFiles: SetUp = ({ path }) => {
  mkdirSync(join(path, "cache", String(readdirSync(join(path, "src")).length)), { recursive: true });
  return Promise.resolve(undefined);
};

const fail: SetUp = (checkout) => {
  calls.push(checkout);
  writeFileSync(join(checkout.path, "half-done"), "");
  const lines = Array.from({ length: 100 }, (_, index) => `line ${String(index)}\n`);
  return Promise.resolve({ reason: "exit code 7", output: `${lines.join("")}npm: no such package\n` });
};

function settings(setUp: SetUp): WorkspaceSettings {
  return { repository: project.repository, stateDirectory: project.stateDirectory, setUp };
}

function commitFile(path: string): void {
  project.write(path, "text\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "Next");
}

function head(): string {
  return project.git("rev-parse", "HEAD").trim();
}

async function openPool(setUp: SetUp, problems: unknown[] = []): Promise<WorkspacePool> {
  pool = new WorkspacePool({ ...settings(setUp), size: 1, onProblem: (error) => problems.push(error) });
  pool.aimAtCommit(head());
  await pool.settled();
  return pool;
}

describe("workspace.setup", () => {
  it("runs once in a workspace made from scratch, with the worker's environment", async () => {
    const workspace = await createWorkspace(settings(build), { id, base: head() });
    expect(calls).toStrictEqual([{ path: workspace.path, environment: workspace.environment }]);
    expect(existsSync(join(workspace.path, "cache/deep/object"))).toBe(true);
  });

  it("runs once before a pooled checkout waits, and again after it was cleaned for the next worker", async () => {
    const open = await openPool(build);
    expect([calls.length, open.waiting]).toStrictEqual([1, 1]);
    const first = await open.takeWorkspace({ id, base: head() });
    expect([calls.length, first.fromPool]).toStrictEqual([1, true]);
    writeFileSync(join(first.path, "cache/deep/object"), "of the first worker\n");
    expect((await open.giveBack({ id, path: first.path })).status).toBe("released");
    await open.settled();
    expect(calls.map(({ path }) => path)).toStrictEqual([first.path, first.path]);
    const second = await open.takeWorkspace({ id: "US-1-DEL-002", base: head() });
    expect(calls).toHaveLength(2);
    expect(readFileSync(join(second.path, "cache/deep/object"), "utf8")).toBe("built\n");
    const cold = await open.takeWorkspace({ id: "US-1-DEL-003", base: head() });
    expect([cold.fromPool, calls.length]).toStrictEqual([false, 3]);
  });

  it("takes effect when it changes: a checkout prepared by another setup is not handed out", async () => {
    const open = await openPool(build);
    const rebuild: SetUp = (checkout) => {
      writeFileSync(join(checkout.path, "src/again.log"), "built\n");
      return Promise.resolve(undefined);
    };
    const other = { ...settings(rebuild), size: 1, recipe: "rebuild" };
    const first = await open.takeWorkspace({ id, base: head() }, other);
    expect(first.fromPool).toBe(false);
    expect(existsSync(join(first.path, "src/again.log"))).toBe(true);
    expect(existsSync(join(first.path, "cache"))).toBe(false);
    // What waited is prepared again.
    await open.settled();
    const second = await open.takeWorkspace({ id: "US-1-DEL-002", base: head() }, other);
    expect(second.fromPool).toBe(true);
    expect(existsSync(join(second.path, "src/again.log"))).toBe(true);
    expect(existsSync(join(second.path, "cache"))).toBe(false);
  });

  it("runs again in a pooled checkout that is moved to another commit, on the files of that commit", async () => {
    const open = await openPool(countFiles);
    commitFile("src/b.txt");
    const moved = await open.takeWorkspace({ id, base: head() });
    expect([moved.fromPool, readdirSync(join(moved.path, "cache"))]).toStrictEqual([true, ["2"]]);
    // Its worker writes nothing, so that the checkout is as good as new.
    expect((await open.giveBack({ id, path: moved.path })).status).toBe("released");
    commitFile("src/c.txt");
    open.aimAtCommit(head());
    await open.settled();
    const cleaned = await open.takeWorkspace({ id: "US-1-DEL-002", base: head() });
    expect([cleaned.path, readdirSync(join(cleaned.path, "cache"))]).toStrictEqual([moved.path, ["3"]]);
  });

  it("leaves nothing of the workspace behind if it fails, and shows the end of its output", async () => {
    const made = createWorkspace(settings(fail), { id, base: head() });
    await expect(made).rejects.toMatchObject({ code: "WORKSPACE_NOT_MADE" });
    await expect(made).rejects.toThrow(/exit code 7\nline 81\n(?:line \d+\n)*npm: no such package$/);
    expect(calls).toHaveLength(1);
    expect(readdirSync(join(project.stateDirectory, "workspaces"))).toStrictEqual([]);
    expect(project.git("for-each-ref", "refs/heads/delegation", "refs/ambit")).toBe("");
    expect(project.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
    const owners = { live: new Set<string>(), known: new Set<string>() };
    expect(await listOrphans(settings(build), owners)).toStrictEqual([]);
    const again = await createWorkspace(settings(build), { id, base: head() });
    expect(existsSync(join(again.path, "half-done"))).toBe(false);
  });

  it("fails in the same way if it cannot be started", async () => {
    const broken: SetUp = () => Promise.reject(new Error("spawn sh ENOENT"));
    const made = createWorkspace(settings(broken), { id, base: head() });
    await expect(made).rejects.toMatchObject({
      code: "WORKSPACE_NOT_MADE",
      cause: { message: "spawn sh ENOENT" },
    });
    await expect(made).rejects.toThrow("spawn sh ENOENT");
  });

  it("keeps no waiting checkout in which it failed, before or after the first worker", async () => {
    const problems: unknown[] = [];
    const open = await openPool(
      (checkout) => (calls.length === 0 ? build(checkout) : fail(checkout)),
      problems,
    );
    const first = await open.takeWorkspace({ id, base: head() });
    writeFileSync(join(first.path, "cache/deep/object"), "of the first worker\n");
    await open.giveBack({ id, path: first.path });
    await open.settled();
    expect(open.waiting).toBe(0);
    expect(problems[0]).toMatchObject({ code: "WORKSPACE_NOT_MADE" });
    expect(existsSync(first.path)).toBe(false);
    const cold = open.takeWorkspace({ id: "US-1-DEL-002", base: head() });
    await expect(cold).rejects.toMatchObject({ code: "WORKSPACE_NOT_MADE" });
  });

  it("costs a waiting checkout if it fails after a move to a new commit", async () => {
    const problems: unknown[] = [];
    const open = await openPool(
      (checkout) => (calls.length === 0 ? build(checkout) : fail(checkout)),
      problems,
    );
    project.git("commit", "-q", "--allow-empty", "-m", "Next");
    open.aimAtCommit(head());
    await open.settled();
    expect(open.waiting).toBe(0);
    expect(readdirSync(join(project.stateDirectory, "workspaces"))).toStrictEqual([]);
    expect(readdirSync(join(project.stateDirectory, "workspace-records"))).toStrictEqual([]);
  });

  it("never counts its leftovers as the worker's work, even when the worker stops ignoring them", async () => {
    project.write("node_modules/left/index.js", "brought\n");
    project.write(".worktreeinclude", "secret.log\n");
    project.write("secret.log", "brought\n");
    const workspace = await createWorkspace(settings(build), { id, base: head() });
    rmSync(join(workspace.path, ".gitignore"));
    writeFileSync(join(workspace.path, "src/a.txt"), "work\n");
    writeFileSync(join(workspace.path, "worker.log"), "work\n");
    writeFileSync(join(workspace.path, "src/build .log.txt"), "work\n");
    const { filesChanged } = await importWork(settings(build), { id, message: "Work\n" });
    expect(filesChanged.map(({ path }) => path)).toStrictEqual([
      ".gitignore",
      "src/a.txt",
      "src/build .log.txt",
      "worker.log",
    ]);
    const released = await releaseWorkspace(settings(build), { id, path: workspace.path });
    expect(released.status).toBe("released");
  });

  it.each(["src/b.txt", ".gitignore"])(
    "leaves other changes to the worker's work when the worker writes %s",
    async (path) => {
      const prepare: SetUp = (checkout) => {
        writeFileSync(join(checkout.path, "src/a.txt"), "prepared\n");
        writeFileSync(join(checkout.path, "made.txt"), "made\n");
        return Promise.resolve(undefined);
      };
      const open = await openPool(prepare);
      const workspace = await open.takeWorkspace({ id, base: head() });
      writeFileSync(join(workspace.path, path), "work\n");
      const { filesChanged } = await importWork(settings(prepare), { id, message: "Work\n" });
      expect(filesChanged.map((file) => file.path)).toStrictEqual([path, "made.txt", "src/a.txt"].toSorted());
    },
  );

  it("runs in the places of a sandbox for a private clone, and its leftovers are not handed over", async () => {
    const base = head();
    const clone = await createSandboxClone({ ...settings(build), id, base });
    const { writable, readOnly, home, temporary } = clone;
    expect(calls.map(({ path, sandbox }) => ({ path, sandbox }))).toStrictEqual([
      { path: clone.path, sandbox: { writable, readOnly, home, network: true, temporary } },
    ]);
    rmSync(join(clone.path, ".gitignore"));
    writeFileSync(join(clone.path, "src/a.txt"), "work\n");
    const sandbox = await sandboxOf("bubblewrap");
    const work = await importSandboxWork({ ...project, clone, sandbox, message: "Work\n" });
    expect(work.filesChanged.map(({ path }) => path)).toStrictEqual([".gitignore", "src/a.txt"]);
    const failing = createSandboxClone({ ...settings(fail), id: "US-1-DEL-002", base });
    await expect(failing).rejects.toMatchObject({ code: "WORKSPACE_NOT_MADE" });
    expect(readdirSync(join(project.stateDirectory, "sandboxes"))).toStrictEqual([id]);
  });
});
