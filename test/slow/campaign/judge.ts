import { createHash } from "node:crypto";
import * as z from "zod";
import { listMounts } from "../../../src/workspace/prepare/overlay.ts";
import {
  describeProcess,
  listProcesses,
  readLedger,
  STEP_MICRO_USD,
  userState,
  type World,
} from "./world.ts";

const eventsSchema = z.object({
  events: z.array(z.looseObject({ type: z.string(), delegation: z.string().nullable() })),
});
const costSchema = z.object({ total_cost_usd: z.number().nullable() });
const statusSchema = z.object({ is_over: z.boolean() });

const MAX_SETTLE_MS = 240_000;

/** Lets everything come to its end, as a person would: look, repair, wait. False when it never does. */
export async function settle(world: World, story: string): Promise<boolean> {
  const giveUpAt = performance.now() + MAX_SETTLE_MS;
  for (;;) {
    const status = await world.ambit("status", story, "--json");
    // A story that was never acknowledged is not in the journal.
    const isUnknown = /STORY_NOT_FOUND|"story":null/.test(status.stdout + status.stderr);
    if (isUnknown && listProcesses(world.folder, "main.cjs\0run\0").length === 0) return true;
    if (!isUnknown && status.status === 0 && statusSchema.parse(JSON.parse(status.stdout)).is_over)
      return true;
    if (performance.now() > giveUpAt) return false;
    await world.ambit("doctor", "--fix");
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Everything that must be true afterwards, seen from outside: git, the ledger, and what commands answer. */
export async function findFaults(world: World, story: string, before: string): Promise<readonly string[]> {
  const stuck = await world.whenStartedEnded();
  const faults = stuck.map((words) => `ambit ${words} does not end`);
  const known = await world.ambit("audit", story, "--json");
  const { events } = known.status === 0 ? eventsSchema.parse(JSON.parse(known.stdout)) : { events: [] };
  for (const id of new Set(events.map(({ delegation }) => delegation))) {
    const ends = events.filter(
      (event) => event.delegation === id && event.type === "delegation-closed",
    ).length;
    const merges = events.filter(
      (event) => event.delegation === id && event.type === "delegation-merged",
    ).length;
    if (id !== null && ends !== 1) faults.push(`${id} has ${ends} ends`);
    if (merges > 1) faults.push(`${id ?? ""} was merged ${merges} times`);
  }
  faults.push(...findLost(world), ...(await findUnbooked(world, story)));
  const verified = await world.ambit("audit", "--verify");
  if (events.length > 0 && verified.status !== 0)
    faults.push(`audit --verify: ${verified.stdout}${verified.stderr}`);
  if (userState(world) !== before) faults.push("the user's files, index, refs or configuration changed");
  await world.ambit("supervisor", "stop");
  await world.ambit("clean");
  const doctor = await world.ambit("doctor");
  if (doctor.status !== 0) faults.push(`doctor: ${listRed(doctor.stdout)} ${doctor.stderr.slice(0, 300)}`);
  const left = listProcesses(world.folder);
  if (left.length > 0) faults.push(`processes are left: ${left.map(describeProcess).join("; ")}`);
  const mounts = listMounts(world.folder);
  if (mounts.length > 0) faults.push(`mounts are left: ${mounts.join()}`);
  return faults;
}

export function listRed(stdout: string): string {
  const lines = stdout.split("\n").filter((line) => line.startsWith("✖"));
  return lines.join(" ");
}

/** How the story ended, in one word. */
export async function readOutcome(world: World, story: string): Promise<string> {
  const { stdout } = await world.ambit("status", story, "--json");
  return /"status":\s*"(\w+)"/.exec(stdout)?.[1] ?? "unknown";
}

/** Every file that a worker noted must be reachable from a ref, byte for byte. */
function findLost(world: World): readonly string[] {
  const kept = new Set(world.git("rev-list", "--objects", "--all").split("\n"));
  return readLedger(world, "wrote").flatMap((name) => {
    const bytes = Buffer.from(`${name}\n`);
    const id = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
    return kept.has(`${id} ${name}`) ? [] : [`lost: ${name}`];
  });
}

/** What was printed before the ledger's line is booked; at most one line per attempt may be booked without one. */
async function findUnbooked(world: World, story: string): Promise<readonly string[]> {
  const answer = await world.ambit("cost", story, "--json");
  if (answer.status !== 0) return [];
  const booked = Math.round((costSchema.parse(JSON.parse(answer.stdout)).total_cost_usd ?? 0) * 1e6);
  const least = readLedger(world, "spent").length * STEP_MICRO_USD;
  const most = least + readLedger(world, "began").length * STEP_MICRO_USD;
  return booked < least || booked > most ? [`booked ${booked} micro-dollars, spent ${least} to ${most}`] : [];
}
