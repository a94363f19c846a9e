import { execFileSync } from "node:child_process";
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { probeSandbox } from "../../../src/containment/probe-sandbox.ts";
import { importSandboxWork } from "../../../src/workspace/import-sandbox-work.ts";
import { importWork } from "../../../src/workspace/import-work.ts";
import { WorkspacePool } from "../../../src/workspace/pool.ts";
import { releaseWorkspace } from "../../../src/workspace/remove.ts";
import { openRepository, type Repository } from "../../../src/workspace/repository.ts";
import { createSandboxClone, removeSandboxClone } from "../../../src/workspace/sandbox-clone.ts";
import { takeSnapshot, userCheckout } from "../../../src/workspace/snapshot.ts";
import { createWorkspace, type Workspace } from "../../../src/workspace/worktree.ts";
import { createRandom, type Random } from "../random.ts";

export const kinds = ["cold", "cold", "pool", "pool", "sandbox"] as const;

const factsSchema = z.strictObject({
  root: z.string(),
  home: z.string(),
  stateDirectory: z.string(),
  id: z.string(),
  seed: z.number(),
  commitLog: z.string(),
  kind: z.enum(kinds),
});

export type CycleFacts = Readonly<z.infer<typeof factsSchema>>;

export function parseFacts(text: string): CycleFacts {
  return factsSchema.parse(JSON.parse(text));
}

/** The whole life of one delegation, in a process that may be killed at any moment. */
export async function runCycle(facts: CycleFacts): Promise<void> {
  process.stdout.write("ready\n");
  const { stateDirectory, id } = facts;
  const repository = await openRepository(facts.root, {
    searchPath: process.env["PATH"] ?? "",
    home: facts.home,
  });
  const settings = { repository, stateDirectory };
  const { commit } = await takeSnapshot({ ...settings, id, checkout: userCheckout(repository) });
  const life = { settings, facts, request: { id, base: commit }, random: createRandom(facts.seed) };
  if (facts.kind === "sandbox") await liveInSandbox(life);
  else if (facts.kind === "pool") await liveInPool(life);
  else await liveAlone(life);
}

interface Life {
  readonly settings: { readonly repository: Repository; readonly stateDirectory: string };
  readonly facts: CycleFacts;
  readonly request: { readonly id: string; readonly base: string };
  readonly random: Random;
}

async function liveAlone({ settings, facts, request, random }: Life): Promise<void> {
  const { id } = request;
  const workspace = await createWorkspace(settings, request);
  doWork(workspace, facts, random);
  await importWork(settings, { id, message: `Work of ${id}\n` });
  await releaseWorkspace(settings, { id, path: workspace.path });
}

async function liveInPool({ settings, facts, request, random }: Life): Promise<void> {
  const { id, base } = request;
  const pool = new WorkspacePool({ ...settings, size: 2, settleMs: 50 });
  pool.aimAtCommit(base);
  if (random.chance(0.7)) await pool.settled();
  const workspace = await pool.takeWorkspace(request);
  doWork(workspace, facts, random);
  await importWork(settings, { id, message: `Work of ${id}\n` });
  await pool.giveBack({ id, path: workspace.path });
  if (random.chance(0.7)) await pool.settled();
  await pool.close();
}

async function liveInSandbox({ settings, facts, request, random }: Life): Promise<void> {
  const { id } = request;
  const clone = await createSandboxClone({ ...settings, ...request });
  doWork(clone, facts, random);
  const sandbox = await probeSandbox();
  await importSandboxWork({ ...settings, clone, sandbox, message: `Work of ${id}\n` });
  await removeSandboxClone(settings, id);
}

type Place = Pick<Workspace, "environment" | "path">;

function doWork(workspace: Place, facts: CycleFacts, random: Random): void {
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

function commit(workspace: Place, facts: CycleFacts, random: Random): void {
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
