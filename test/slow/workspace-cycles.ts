/**
 * Workspaces made, used, killed and cleaned beside a user who keeps working:
 *   npm run test:cycles -- --cycles 1000 --seed 1
 * Each cycle is one process that takes a snapshot, makes a workspace (from nothing or from the pool), works and commits
 * in it, imports and releases; most are killed at a random moment, alone or with everything they started. Afterwards
 * whatever is left is imported and put away as a recovering runtime does. Fails when the user's files, index, stash,
 * branches or configuration differ from a twin repository that saw only the user, when a commit a worker was promised
 * is not reachable from a ref, or when an orphan is left. With --break each cycle also stashes in the user's checkout,
 * as careless tools do: the run must then fail.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { messageOf } from "../../src/base/delegation-error.ts";
import { importWork } from "../../src/workspace/import-work.ts";
import { listOrphans, type Orphan, removeOrphan } from "../../src/workspace/orphans.ts";
import { emptyTrash, releaseWorkspace } from "../../src/workspace/remove.ts";
import { makeRepository, type TemporaryRepository } from "../workspace/temporary-repository.ts";
import { describeUser } from "./cycles/compare.ts";
import { User } from "./cycles/user.ts";
import { type CycleFacts, runCycle } from "./cycles/worker.ts";
import { createRandom, type Random } from "./random.ts";

const { values } = parseArgs({
  options: {
    cycles: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    break: { type: "boolean", default: false },
    worker: { type: "string" },
  },
});

interface World {
  readonly project: TemporaryRepository;
  readonly twin: string;
  readonly commitLog: string;
  readonly random: Random;
  readonly user: User;
  readonly ids: Set<string>;
  readonly problems: string[];
  killed: number;
  recovered: number;
  /** How long an undisturbed cycle takes, so that kills fall on all of its moments. */
  usualMs: number;
}

if (values.worker === undefined) process.exitCode = await run(Number(values.cycles), Number(values.seed));
else await runCycle(JSON.parse(values.worker));

async function run(cycles: number, seed: number): Promise<number> {
  const world = await makeWorld(seed);
  const start = performance.now();
  try {
    const actor = keepUserBusy(world);
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await runOne(world, `US-${cycle}-DEL-001`, seed * 100_000 + cycle);
      if (cycle % 50 === 49) process.stderr.write(`${cycle + 1} cycles, ${world.user.steps} user steps\n`);
    }
    await actor.stop();
    await recover(world);
    await checkOrphans(world);
    check(world);
    const report = {
      cycles,
      seed,
      killed: world.killed,
      recovered_workspaces: world.recovered,
      user_steps: world.user.steps,
      commits: promised(world).length,
      seconds: Math.round((performance.now() - start) / 1000),
      problems: world.problems,
    };
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    return world.problems.length === 0 ? 0 : 1;
  } finally {
    world.project.remove();
  }
}

async function makeWorld(seed: number): Promise<World> {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`src/file-${index}.txt`, `${index}\n`]),
  );
  const project = await makeRepository({ ...files, ".gitignore": "*.log\n" });
  const remote = join(project.root, "../remote.git");
  project.git("clone", "-q", "--bare", project.root, remote);
  project.git("remote", "add", "origin", remote);
  project.git("fetch", "-q", "origin");
  const twin = join(project.root, "../twin");
  cpSync(project.root, twin, { recursive: true, preserveTimestamps: true });
  mkdirSync(project.stateDirectory, { recursive: true });
  const commitLog = join(project.root, "../commits");
  writeFileSync(commitLog, "");
  const random = createRandom(seed);
  const user = new User([project.root, twin], project.home, createRandom(seed + 7));
  return {
    project,
    twin,
    commitLog,
    random,
    user,
    ids: new Set(),
    problems: [],
    killed: 0,
    recovered: 0,
    usualMs: 500,
  };
}

function keepUserBusy(world: World): { stop: () => Promise<void> } {
  const over = new AbortController();
  const loop = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await world.user.act();
      await delay(30);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      over.abort();
      await running;
    },
  };
}

async function runOne(world: World, id: string, seed: number): Promise<void> {
  const { project, random } = world;
  world.ids.add(id);
  const facts: CycleFacts = {
    root: project.root,
    home: project.home,
    stateDirectory: project.stateDirectory,
    id,
    seed,
    commitLog: world.commitLog,
    usePool: random.chance(0.4),
  };
  const child = spawn(process.execPath, [process.argv[1] ?? "", "--worker", JSON.stringify(facts)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Its first word comes when it starts to work; the time before belongs to Node.
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  const start = performance.now();
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const ended = child.exitCode === null ? once(child, "close") : Promise.resolve();
  const isKilled = random.chance(0.7);
  if (isKilled) await killAtRandom(world, child);
  await ended;
  if (!isKilled && child.exitCode !== 0)
    world.problems.push(`${id}: ${Buffer.concat(errors).toString().slice(0, 600)}`);
  if (!isKilled && child.exitCode === 0 && !facts.usePool)
    world.usualMs = world.usualMs * 0.8 + (performance.now() - start) * 0.2;
  if (values.break) project.git("stash", "push", "-q", "-u");
  await recover(world);
}

async function killAtRandom(world: World, child: ChildProcess): Promise<void> {
  await Promise.race([delay(world.random.next() * world.usualMs * 1.1), once(child, "exit")]);
  if (child.exitCode !== null || child.pid === undefined) return;
  const below = world.random.chance(0.5) ? descendants(child.pid) : [];
  child.kill("SIGKILL");
  world.killed += 1;
  for (const pid of below)
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Ended by itself in between.
    }
}

function descendants(root: number): readonly number[] {
  const lines = execFileSync("ps", ["-e", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const pairs = lines.map((line) => line.trim().split(/ +/).map(Number));
  const found = [root];
  for (const parent of found)
    for (const [pid, above] of pairs) if (above === parent && pid !== undefined) found.push(pid);
  return found.slice(1);
}

/** As a runtime does after a crash: save what is left, then put it away. */
async function recover(world: World): Promise<void> {
  const { repository, stateDirectory } = world.project;
  const settings = { repository, stateDirectory };
  const owners = { live: new Set<string>(), known: world.ids };
  // Git processes that outlived their caller may still be at it; a few rounds see their end.
  for (let round = 0; round < 20; round += 1) {
    const orphans = await listOrphans(settings, owners);
    if (orphans.length === 0) break;
    for (const orphan of orphans) await settle(world, orphan);
    await delay(round * 20);
  }
  await emptyTrash(stateDirectory);
}

async function settle(world: World, orphan: Orphan): Promise<void> {
  const { repository, stateDirectory } = world.project;
  const settings = { repository, stateDirectory };
  try {
    if (orphan.kind !== "workspace") {
      await removeOrphan(settings, orphan);
      return;
    }
    const { id, path } = orphan;
    await importWork(settings, { id, message: `Recovered work of ${id}\n` });
    const released = await releaseWorkspace(settings, { id, path });
    if (released.status === "released") world.recovered += 1;
    else world.problems.push(`${id} was not released: ${released.code} ${released.reason}`);
  } catch (error) {
    world.problems.push(`recovering ${JSON.stringify(orphan)}: ${messageOf(error)}`);
  }
}

async function checkOrphans(world: World): Promise<void> {
  const { repository, stateDirectory } = world.project;
  const owners = { live: new Set<string>(), known: world.ids };
  const left = await listOrphans({ repository, stateDirectory }, owners);
  world.problems.push(...left.map((orphan) => `orphan: ${JSON.stringify(orphan)}`));
}

function check(world: World): void {
  const { project, twin, problems } = world;
  problems.push(...world.user.failures.slice(0, 5));
  const mine = describeUser(project.root, project.home).replaceAll(project.root, "<root>").split("\n");
  const theirs = describeUser(twin, project.home).replaceAll(twin, "<root>").split("\n");
  const differing = mine
    .filter((line) => !theirs.includes(line))
    .concat(theirs.filter((line) => !mine.includes(line)));
  problems.push(...differing.slice(0, 10).map((line) => `differs: ${line}`));
  const reachable = new Set(project.git("rev-list", "--branches", "--glob=refs/ambit").split("\n"));
  for (const commit of promised(world))
    if (!reachable.has(commit)) problems.push(`commit ${commit} is not reachable`);
  project.git("fsck", "--connectivity-only", "--no-dangling");
  const listed = project.git("worktree", "list", "--porcelain").split("\n\n").filter(Boolean);
  const slots = listed.filter((text) => text.includes("/workspaces/slot-")).length;
  if (listed.length - slots !== 1) problems.push(`${listed.length - slots} worktrees that are no pool slots`);
  if (existsSync(join(project.stateDirectory, "git")) && orphanScratch(project))
    problems.push("scratch left");
}

function orphanScratch(project: TemporaryRepository): boolean {
  return execFileSync("ls", [join(project.stateDirectory, "git")], { encoding: "utf8" }) !== "";
}

function promised(world: World): readonly string[] {
  return readFileSync(world.commitLog, "utf8").split("\n").filter(Boolean);
}
