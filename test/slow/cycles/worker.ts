import { execFileSync } from "node:child_process";
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { importWork } from "../../../src/workspace/import-work.ts";
import { WorkspacePool } from "../../../src/workspace/pool.ts";
import { releaseWorkspace } from "../../../src/workspace/remove.ts";
import { openRepository } from "../../../src/workspace/repository.ts";
import { takeSnapshot, userCheckout } from "../../../src/workspace/snapshot.ts";
import { createWorkspace, type Workspace } from "../../../src/workspace/worktree.ts";
import { createRandom, type Random } from "../random.ts";

export interface CycleFacts {
  readonly root: string;
  readonly home: string;
  readonly stateDirectory: string;
  readonly id: string;
  readonly seed: number;
  readonly commitLog: string;
  readonly usePool: boolean;
}

/** The whole life of one delegation, in a process that may be killed at any moment. */
export async function runCycle(facts: CycleFacts): Promise<void> {
  process.stdout.write("ready\n");
  const random = createRandom(facts.seed);
  const { stateDirectory, id } = facts;
  const repository = await openRepository(facts.root, {
    searchPath: process.env["PATH"] ?? "",
    home: facts.home,
  });
  const settings = { repository, stateDirectory };
  const pool = facts.usePool ? new WorkspacePool({ ...settings, size: 2 }) : undefined;
  const snapshot = await takeSnapshot({ ...settings, id, checkout: userCheckout(repository) });
  pool?.aim(snapshot.commit);
  await pool?.settled();
  const request = { id, base: snapshot.commit };
  const workspace = await (pool === undefined ? createWorkspace(settings, request) : pool.take(request));
  doWork(workspace, facts, random);
  await importWork(settings, { id, message: `Work of ${id}\n` });
  const release = { id, path: workspace.path };
  await (pool === undefined ? releaseWorkspace(settings, release) : pool.giveBack(release));
  await pool?.settled();
  await pool?.close();
}

function doWork(workspace: Workspace, facts: CycleFacts, random: Random): void {
  const count = 1 + random.below(4);
  for (let step = 0; step < count; step += 1) {
    const path = join(
      workspace.path,
      random.pick(["src/file-1.txt", "src/file-2.txt", `new/${step}.txt`, "x.log"]),
    );
    mkdirSync(dirname(path), { recursive: true });
    if (random.chance(0.2)) rmSync(path, { force: true });
    else writeFileSync(path, `${facts.id} ${step} ${random.next()}\n`);
    if (random.chance(0.5)) commit(workspace, facts, random);
  }
}

function commit(workspace: Workspace, facts: CycleFacts, random: Random): void {
  const git = (...words: string[]): string =>
    execFileSync("git", ["-c", "user.name=w", "-c", "user.email=w@w", ...words], {
      cwd: workspace.path,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", HOME: facts.home, ...workspace.environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", "Worker");
  acknowledge(facts.commitLog, git("rev-parse", "HEAD").trim());
  // Left behind: still to be found afterwards.
  if (random.chance(0.2)) git("reset", "-q", "--hard", "HEAD~1");
  if (random.chance(0.1)) git("checkout", "-q", "--detach");
}

/** From here on the commit counts as promised. */
function acknowledge(log: string, commitId: string): void {
  const descriptor = openSync(log, "a");
  writeSync(descriptor, `${commitId}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
}
