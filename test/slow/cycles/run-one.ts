import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { recover } from "./recover.ts";
import { type CycleFacts, kinds } from "./worker.ts";
import type { World } from "./world.ts";

/** One life in a process of its own, most of them killed at some moment, and the recovery after it. */
export async function runOne(world: World, id: string, seed: number): Promise<void> {
  const { project, random } = world;
  world.ids.add(id);
  const facts: CycleFacts = {
    root: project.root,
    home: project.home,
    stateDirectory: project.stateDirectory,
    id,
    seed,
    commitLog: world.commitLog,
    kind: random.pick(kinds),
  };
  const child = spawn(process.execPath, [process.argv[1] ?? "", "--worker", JSON.stringify(facts)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  // Its first word comes when it starts to work; the time before belongs to Node.
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  const start = performance.now();
  const ended = child.exitCode === null ? once(child, "close") : Promise.resolve();
  const isKilled = random.chance(0.7);
  if (isKilled) await killAtRandom(world, child, facts.kind);
  await ended;
  if (!isKilled && child.exitCode !== 0)
    world.problems.push(`${id}: ${Buffer.concat(errors).toString().slice(0, 600)}`);
  if (!isKilled && child.exitCode === 0) noteUsual(world, facts.kind, performance.now() - start);
  if (world.planted === "user") project.git("stash", "push", "-q", "-u");
  await recover(world);
  if (world.planted === "commits") forgetWork(world, id);
}

function noteUsual(world: World, kind: string, ms: number): void {
  const before = world.usualMs.get(kind) ?? ms;
  world.usualMs.set(kind, before * 0.8 + ms * 0.2);
}

async function killAtRandom(world: World, child: ChildProcess, kind: string): Promise<void> {
  const usualMs = world.usualMs.get(kind) ?? 500;
  await Promise.race([delay(world.random.next() * usualMs * 1.1), once(child, "exit")]);
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

/** As a tool does that deletes the branch with the workspace. */
function forgetWork({ project }: World, id: string): void {
  const patterns = [`refs/heads/delegation/${id}`, `refs/ambit/*/${id}`, `refs/ambit/kept/${id}`];
  const refs = project.git("for-each-ref", "--format=%(refname)", ...patterns).split("\n");
  for (const ref of refs.filter(Boolean)) project.git("update-ref", "-d", ref);
}
