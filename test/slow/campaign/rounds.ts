import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { mountDisk, MIB } from "../../faults/small-disk.ts";
import type { Random } from "../random.ts";
import { findFaults, listRed, readOutcome, settle } from "./judge.ts";
import { endProcess, listProcesses, makeWorld, readLedger, userState, type World } from "./world.ts";

/** What one round did and found. */
export interface RoundResult {
  readonly kills: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
  /** Files that workers noted; none at all would mean that nothing was judged. */
  readonly noted: number;
}

type Kills = Record<string, number>;

const STORY = "C1";
const runWords = ["run", "Everything", "--id", STORY, "--agent", "lead", "--detach"] as const;

/** Kills in a story: the client, the supervisor, a worker, git, a supervisor that recovers, all at once. */
export async function storyRound(random: Random): Promise<RoundResult> {
  return inWorld(makeWorld(), async (world, kills) => {
    const client = world.start(...runWords.slice(0, -1));
    if (random.chance(0.7)) await waitForWork(world);
    for (let count = 2 + random.below(5); count > 0; count -= 1) {
      await waitForSupervisor(world);
      await wait(random.below(900));
      const victim = random.pick([
        "supervisor",
        "supervisor",
        "client",
        "worker",
        "git",
        "recovery",
        "all",
      ] as const);
      if (await killOne(world, { victim, client: client.pid ?? 0, pauseMs: random.below(300) }))
        kills[victim] = (kills[victim] ?? 0) + 1;
    }
  });
}

const MAX_START_MS = 30_000;

/** On a busy machine the next supervisor needs a while; a kill before that hits no process. */
function waitForSupervisor(world: World): Promise<void> {
  const running = (): boolean => listProcesses(world.folder, "__supervisor").includes(readSupervisor(world));
  return waitUntil(running);
}

/** Trouble before the first agent begins only keeps the story from being opened. */
function waitForWork(world: World): Promise<void> {
  return waitUntil(() => readLedger(world, "began").length > 0);
}

async function waitUntil(holds: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + MAX_START_MS;
  while (performance.now() < giveUpAt && !holds()) await wait(50);
}

interface Blow {
  readonly victim: "supervisor" | "client" | "worker" | "git" | "recovery" | "all";
  readonly client: number;
  readonly pauseMs: number;
}

async function killOne(world: World, { victim, client, pauseMs }: Blow): Promise<boolean> {
  if (victim === "client") return endProcess(client);
  if (victim === "worker") return endProcess(pickFirst(listProcesses(world.folder, "__worker")));
  if (victim === "git") return endProcess(pickFirst(listProcesses(world.folder, "git\0")));
  const isKilled =
    victim === "all"
      ? listProcesses(world.folder).map(endProcess).includes(true)
      : endProcess(readSupervisor(world));
  // The next command starts another one, which recovers.
  const doctor = world.start("doctor", "--fix");
  if (victim !== "recovery") return isKilled;
  await wait(200 + pauseMs);
  const isKilledAgain = endProcess(readSupervisor(world));
  if (doctor.exitCode === null) await Promise.race([once(doctor, "exit"), wait(30_000)]);
  return isKilledAgain;
}

function pickFirst(pids: readonly number[]): number {
  // A process id that no machine has: such a kill hits no process.
  return pids.at(-1) ?? 2 ** 30;
}

function readSupervisor(world: World): number {
  const file = join(world.root, ".git/ambit/supervisor.json");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return Number(/"pid":\s*(\d+)/.exec(text)?.[1] ?? 2 ** 30);
}

/** Kills inside the commands that change a person's own branch and files; the same command again must complete it. */
export async function commandRound(random: Random): Promise<RoundResult> {
  const world = makeWorld();
  const kills: Kills = {};
  const faults: string[] = [];
  try {
    world.git("checkout", "--", "list.txt");
    await world.ambit(...runWords.slice(0, -1));
    if (!(await settle(world, STORY))) return { kills, faults: ["the story never ended"], noted: 0 };
    const before = userState(world);
    let added = 0;
    for (let count = 0; count < 20; count += 1) {
      const words = random.pick([
        ["merge", STORY, "--yes"],
        ["doctor", "--fix"],
        ["clean"],
        ["task", "add", `T${count}`],
      ]);
      const isKilled = await killCommand(world, words, 40 + random.below(700));
      if (isKilled) kills[words[0] ?? ""] = (kills[words[0] ?? ""] ?? 0) + 1;
      const again = await world.ambit(...words);
      if (again.status !== 0)
        faults.push(
          `${words.join(" ")} again: exit ${again.status} ${again.stderr} ${listRed(again.stdout)}`,
        );
      if (words[0] === "task") added += 1;
      if (words[0] === "merge")
        faults.push(...(await checkMerge(world, kills, { before, delayMs: random.below(700) })));
      if (existsSync(join(world.root, ".git/index.lock"))) faults.push(`${words.join(" ")} left index.lock`);
    }
    const tasks = await world.ambit("task", "list", "--json");
    const found = (tasks.stdout.match(/"title":/g) ?? []).length;
    // A killed `task add` may have added its task before it died; it never adds half of one.
    if (added > 0 && (found < added || found > 2 * added)) faults.push(`${found} tasks, ${added} were added`);
    faults.push(...(await findFaults(world, STORY, before)));
    return { kills, faults, noted: readLedger(world, "wrote").length };
  } finally {
    await world.remove();
  }
}

/** The merge stands; taking it back, killed and repeated, gives exactly what was there before. */
async function checkMerge(
  world: World,
  kills: Kills,
  { before, delayMs }: { readonly before: string; readonly delayMs: number },
): Promise<readonly string[]> {
  if (!world.git("ls-tree", "--name-only", "HEAD").includes("step-")) return ["a merge brought nothing"];
  if (await killCommand(world, ["merge", STORY, "--undo", "--yes"], 40 + delayMs))
    kills["undo"] = (kills["undo"] ?? 0) + 1;
  const undone = await world.ambit("merge", STORY, "--undo", "--yes");
  const files = world.git("ls-tree", "--name-only", "HEAD");
  if (files.includes("step-")) return [`undo left the merge: exit ${undone.status} ${undone.stderr}`];
  return userState(world) === before ? [] : ["undo did not restore the user's files"];
}

async function killCommand(world: World, words: readonly string[], delayMs: number): Promise<boolean> {
  const child = world.start(...words);
  const ended = once(child, "exit");
  await Promise.race([wait(delayMs), ended]);
  const isKilled = child.exitCode === null && child.signalCode === null && child.kill("SIGKILL");
  await ended;
  return isKilled;
}

/** The disk is full for a while in the middle of a story. */
export async function diskRound(random: Random): Promise<RoundResult> {
  const disk = mountDisk(64 * MIB);
  try {
    return await inWorld(makeWorld(disk.path), async (world, kills) => {
      const story = world.start(...runWords);
      if (random.chance(0.9)) await waitForWork(world);
      await wait(random.below(2500));
      const isForFiles = random.chance(0.3);
      if (isForFiles) disk.fillWithFiles(random.below(64));
      else disk.fill(random.below(64) * 1024);
      kills[isForFiles ? "no inodes" : "full"] = 1;
      await wait(200 + random.below(3000));
      disk.free();
      if (story.exitCode === null) await Promise.race([once(story, "exit"), wait(40_000)]);
      if (await settle(world, STORY)) kills[`then ${await readOutcome(world, STORY)}`] = 1;
    });
  } finally {
    disk.unmount();
  }
}

const meddling = {
  branches: ["for-each-ref", "--format=delete %(refname)", "refs/heads/delegation"],
  gc: ["gc", "--prune=now", "--quiet"],
  prune: ["worktree", "prune"],
  clean: ["clean", "-fdxq", "-e", "mine.txt"],
  repack: ["repack", "-adq"],
  expire: ["reflog", "expire", "--expire=now", "--all"],
} as const;

/** A person runs git's own tools over the repository while a story runs. */
export async function meddlingRound(random: Random): Promise<RoundResult> {
  return inWorld(makeWorld(), async (world, kills) => {
    world.start(...runWords);
    await waitForWork(world);
    for (let count = 0; count < 3; count += 1) {
      await wait(200 + random.below(1200));
      const name = random.pick([
        "gc",
        "prune",
        "clean",
        "repack",
        "expire",
        "branches",
        "templates",
      ] as const);
      try {
        meddle(world, name);
        kills[name] = (kills[name] ?? 0) + 1;
      } catch {
        // Git refuses while another process of it works; a person would see that and go on.
      }
    }
  });
}

function meddle(world: World, name: keyof typeof meddling | "templates"): void {
  if (name === "templates") {
    rmSync(join(`${world.root}.worktrees`, "ambit/templates"), { recursive: true, force: true });
    return;
  }
  const said = world.git(...meddling[name]);
  if (name !== "branches") return;
  for (const line of said.split("\n").filter((text) => text !== ""))
    world.git("update-ref", "-d", line.slice("delete ".length));
}

async function describeStuck(world: World): Promise<string> {
  const [status, doctor] = [await world.ambit("status", STORY), await world.ambit("doctor", "--fix")];
  return `it never ended: ${status.stdout.slice(0, 600)} ${listRed(doctor.stdout)} ${doctor.stderr.slice(0, 300)}`;
}

async function inWorld(
  world: World,
  trouble: (world: World, kills: Kills) => Promise<void>,
): Promise<RoundResult> {
  const kills: Kills = {};
  const before = userState(world);
  try {
    await trouble(world, kills);
    if (!(await settle(world, STORY))) return { kills, faults: [await describeStuck(world)], noted: 0 };
    const faults = await findFaults(world, STORY, before);
    return { kills, faults, noted: readLedger(world, "wrote").length };
  } finally {
    await world.remove();
  }
}
