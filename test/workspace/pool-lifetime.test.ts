import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runWithAbort } from "../../src/base/task-abort.ts";
import { findWorkspace } from "../../src/workspace/find-workspace.ts";
import { importWork } from "../../src/workspace/import-work.ts";
import { listOrphans } from "../../src/workspace/orphans.ts";
import { listMounts } from "../../src/workspace/prepare/overlay.ts";
import { type PoolSettings, WorkspacePool } from "../../src/workspace/pool.ts";
import { releaseWorkspace } from "../../src/workspace/remove.ts";
import type { Workspace } from "../../src/workspace/worktree.ts";
import {
  makeRepository,
  removeByHand,
  runPlainGit,
  type TemporaryRepository,
} from "./temporary-repository.ts";

let project: TemporaryRepository;
const pools: WorkspacePool[] = [];

beforeEach(async () => {
  project = await makeRepository({ ".gitignore": "node_modules/\n*.log\n", "src/a.txt": "a\n" });
});

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  project.remove();
});

async function openPool(size: number, more: Partial<PoolSettings> = {}): Promise<WorkspacePool> {
  const { repository, stateDirectory } = project;
  const pool = new WorkspacePool({ repository, stateDirectory, size, settleMs: 0, ...more });
  pools.push(pool);
  pool.aimAtCommit(head());
  await pool.settled();
  return pool;
}

function head(): string {
  return project.git("rev-parse", "HEAD").trim();
}

function gitIn(workspace: Workspace, ...words: string[]): string {
  return runPlainGit(workspace.path, words, project.home);
}

/** Takes as many checkouts as a pool keeps, so that none waits; none where no layer can be mounted. */
async function takeAll(pool: WorkspacePool): Promise<readonly Workspace[]> {
  const taken: Workspace[] = [];
  if (listMounts(project.stateDirectory).length === 0) return taken;
  for (let number = 1; number <= 24; number += 1)
    taken.push(await pool.takeWorkspace({ id: `US-2-DEL-${200 + number}`, base: head() }));
  await pool.settled();
  expect(pool.waiting).toBe(0);
  return taken;
}

describe("the pool, over the life of its process", () => {
  it("discards checkouts that a killed process had not cleaned", async () => {
    const facts = [project.root, project.home, project.stateDirectory, "US-1-DEL-025", head()];
    const words = ["scripts/run-ts.mjs", "test/workspace/give-back-and-die.ts", ...facts];
    spawnSync(process.execPath, words);
    const workspaces = join(project.stateDirectory, "workspaces");
    const left = readdirSync(workspaces).filter((name) => existsSync(join(workspaces, name, "left.log")));
    expect(left).toHaveLength(1);
    const next = await openPool(1);
    expect(existsSync(join(workspaces, left[0] ?? ""))).toBe(false);
    expect((await next.takeWorkspace({ id: "US-1-DEL-026", base: head() })).fromPool).toBe(true);
  });

  it.each(["read-tree -m", "update-ref"])(
    "leaves no work that no worker did if it was killed at %s while it handed a checkout out",
    async (moment) => {
      const before = head();
      project.write("src/later.txt", "later\n");
      project.git("add", "-A");
      project.git("commit", "-qm", "Later");
      const bin = join(project.root, "..", "bin");
      mkdirSync(bin);
      const script = `#!/bin/sh\ncase "$*" in *" ${moment} "*) kill -9 $PPID; exit 1;; esac\nexec /usr/bin/git "$@"\n`;
      writeFileSync(join(bin, "git"), script, { mode: 0o755 });
      const id = "US-1-DEL-029";
      const facts = [project.root, project.home, project.stateDirectory, id, before, head()];
      spawnSync(process.execPath, ["scripts/run-ts.mjs", "test/workspace/take-one.ts", ...facts], {
        env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
      });
      const { repository, stateDirectory } = project;
      const found = findWorkspace({ repository, stateDirectory }, id);
      if (found !== undefined) {
        const work = await importWork({ repository, stateDirectory }, { id, message: "Work\n" });
        expect(work.filesChanged).toStrictEqual([]);
      }
      const next = await openPool(1);
      const taken = await next.takeWorkspace({ id: "US-1-DEL-030", base: head() });
      expect(existsSync(join(taken.path, "src/later.txt"))).toBe(true);
    },
  );

  it("removes on close what it had no time to clean", async () => {
    const pool = await openPool(1);
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-027", base: head() });
    writeFileSync(join(workspace.path, "left.log"), "ignored\n");
    await pool.giveBack({ id: workspace.id, path: workspace.path });
    await pool.close();
    expect(existsSync(workspace.path)).toBe(false);
    const records = readdirSync(join(project.stateDirectory, "workspace-records"));
    expect(records).not.toContain(basename(workspace.path));
    const next = await openPool(1);
    expect(next.waiting).toBe(1);
  });

  it("takes over waiting checkouts for which an earlier process ran the setup, at the first request", async () => {
    const prepared = { dependencyWay: "copy", setUp: async () => undefined } as const;
    const pool = await openPool(2, prepared);
    await pool.close();
    const { repository, stateDirectory } = project;
    const next = new WorkspacePool({ repository, stateDirectory, size: 2, ...prepared });
    pools.push(next);
    const taken = await next.takeWorkspace({ id: "US-1-DEL-028", base: head() });
    expect(taken.fromPool).toBe(true);
    expect(next.waiting).toBe(1);
  });

  it.each([{ layersAhead: 4 }, { dependencyWay: "copy" }] as const)(
    "leaves no checkout, layer, mount or git note behind when it is closed (%j)",
    async (more) => {
      const pool = await openPool(2, more);
      const isLayered = listMounts(project.stateDirectory).length > 0;
      expect(pool.waiting).toBe(isLayered ? 4 : 2);
      await pool.close();
      expect(listMounts(project.stateDirectory)).toStrictEqual([]);
      expect(readdirSync(join(project.stateDirectory, "workspace-records"))).toHaveLength(0);
      expect(project.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    },
  );

  it("removes waiting checkouts beyond its maximum", async () => {
    await (await openPool(3, { dependencyWay: "copy" })).close();
    const pool = await openPool(1, { dependencyWay: "copy" });
    expect(pool.waiting).toBe(1);
    expect(readdirSync(join(project.stateDirectory, "workspaces"))).toHaveLength(1);
    expect(project.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(2);
  });

  it("keeps 24 layers at most, however many workers ran at once", async () => {
    const pool = await openPool(1, { layersAhead: 1 });
    if (listMounts(project.stateDirectory).length === 0) return;
    const taken: Workspace[] = [];
    for (let number = 1; number <= 30; number += 1)
      taken.push(await pool.takeWorkspace({ id: `US-2-DEL-${100 + number}`, base: head() }));
    expect(listMounts(project.stateDirectory).length).toBeGreaterThanOrEqual(30);
    for (const { id, path } of taken) await pool.giveBack({ id, path });
    await pool.settled();
    expect(listMounts(project.stateDirectory).length).toBeLessThanOrEqual(24);
  });

  it("cleans a returned checkout at once if a request finds none waiting", async () => {
    const pool = await openPool(1, { layersAhead: 1 });
    const [first] = await takeAll(pool);
    if (first === undefined) return;
    writeFileSync(join(first.path, "src/a.txt"), "changed\n");
    writeFileSync(join(first.path, "own.log"), "x");
    const { id, path } = first;
    const { repository, stateDirectory } = project;
    await importWork({ repository, stateDirectory }, { id, message: "Work\n" });
    await pool.giveBack({ id, path });
    const next = await pool.takeWorkspace({ id: "US-2-DEL-300", base: head() });
    expect(next).toMatchObject({ path, fromPool: true });
    expect(gitIn(next, "status", "--porcelain", "--ignored")).toBe("");
    expect(gitIn(next, "rev-parse", "--abbrev-ref", "HEAD").trim()).toBe("delegation/US-2-DEL-300");
    await pool.settled();
    expect(findWorkspace({ repository, stateDirectory }, "US-2-DEL-300")).toMatchObject({ path });
  });

  it("cleans the checkout to the end even if the request for it is stopped meanwhile", async () => {
    const problems: unknown[] = [];
    const pool = await openPool(1, { layersAhead: 1, onProblem: (error) => void problems.push(error) });
    const taken = await takeAll(pool);
    const [first] = taken;
    if (first === undefined) return;
    writeFileSync(join(first.path, "own.log"), "x");
    await pool.giveBack({ id: first.id, path: first.path });
    project.write("src/later.txt", "later\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Later");
    const request = { id: "US-2-DEL-300", base: head() };
    await runWithAbort(AbortSignal.abort(), () => pool.takeWorkspace(request)).catch(() => undefined);
    await pool.settled();
    expect(problems).toStrictEqual([]);
    expect(existsSync(join(first.path, "own.log"))).toBe(false);
    expect(existsSync(join(first.path, "src/later.txt"))).toBe(true);
  });

  it("serves the request with another checkout if a waiting one was deleted or tampered with", async () => {
    const pool = await openPool(2, { onProblem: () => undefined });
    const [first = "", second = ""] = readdirSync(join(project.stateDirectory, "workspaces"));
    removeByHand(join(project.stateDirectory, "workspaces", first));
    writeFileSync(join(project.stateDirectory, "workspaces", second, ".git"), "gitdir: /elsewhere\n");
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-029", base: head() });
    expect(workspace.fromPool).toBe(false);
    expect(gitIn(workspace, "status", "--porcelain")).toBe("");
    await pool.settled();
    expect(pool.waiting).toBe(2);
  });

  it("removes a discarded checkout and makes another", async () => {
    const pool = await openPool(1);
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-030", base: head() });
    writeFileSync(join(workspace.path, "unsaved.txt"), "x");
    const request = { id: workspace.id, path: workspace.path };
    expect(await pool.discardWorkspace(request)).toMatchObject({ status: "refused", code: "WORK_NOT_SAVED" });
    expect(await pool.discardWorkspace({ ...request, discardUnsaved: true })).toStrictEqual({
      status: "released",
    });
    await pool.settled();
    expect(existsSync(workspace.path)).toBe(false);
    expect(pool.waiting).toBe(1);
  });

  it("does not hand out a checkout whose dependencies no longer match the user's", async () => {
    project.write("node_modules/left/index.js", "one\n");
    const pool = await openPool(1);
    project.write("node_modules/right/index.js", "two\n");
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-031", base: head() });
    expect(readdirSync(join(workspace.path, "node_modules")).toSorted()).toStrictEqual(["left", "right"]);
    expect(workspace.fromPool).toBe(false);
    await pool.settled();
    const next = await pool.takeWorkspace({ id: "US-1-DEL-032", base: head() });
    expect(next.fromPool).toBe(true);
    expect(readdirSync(join(next.path, "node_modules")).toSorted()).toStrictEqual(["left", "right"]);
  });

  it("gives waiting checkouts dependencies that the user installed after they were made", async () => {
    const pool = await openPool(1);
    project.write("node_modules/left/index.js", "one\n");
    pool.aimAtCommit(head());
    await pool.settled();
    const workspace = await pool.takeWorkspace({ id: "US-1-DEL-033", base: head() });
    expect(workspace.fromPool).toBe(true);
    expect(readdirSync(join(workspace.path, "node_modules"))).toStrictEqual(["left"]);
  });

  it("is not needed to find, import and release its workspaces (after a crash)", async () => {
    const pool = await openPool(1);
    const { id, path } = await pool.takeWorkspace({ id: "US-1-DEL-034", base: head() });
    await pool.close();
    writeFileSync(join(path, "src/a.txt"), "work\n");
    const { repository, stateDirectory } = project;
    const { tip } = await importWork({ repository, stateDirectory }, { id, message: "Work\n" });
    expect(project.git("show", `${tip}:src/a.txt`)).toBe("work\n");
    const released = await releaseWorkspace({ repository, stateDirectory }, { id, path });
    expect(released.status).toBe("released");
    expect(existsSync(path)).toBe(false);
    const owners = { live: new Set<string>(), known: new Set([id]) };
    expect(await listOrphans({ repository, stateDirectory }, owners)).toStrictEqual([]);
  });
});
