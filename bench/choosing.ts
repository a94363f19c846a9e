/** How long one choice takes with very much waiting and running: the next job of the scheduler, and the offers of a coordinator. */
import { chooseOffers, type WaitingAttempt } from "../src/orchestrator/machines/choose-offers.ts";
import { RunQueue, type Job } from "../src/scheduler/run-queue.ts";
import { median, timed, type Result } from "./measure.ts";

const WAITING = 1000;
const RUNNING = 1000;
const STORIES = 100;
const MACHINES = 16;
const SLOTS = 64;
const ROUNDS = 50;
const GOAL_MS = 2;

export async function choosingResults(): Promise<Result[]> {
  return [
    describe("choosing the next job", await timeJobs()),
    describe("choosing the offers of a look", await timeOffers()),
  ];
}

function describe(what: string, times: readonly number[]): Result {
  return {
    what: `${what}, ${WAITING} waiting, ${RUNNING} running`,
    value: `${median(times).toFixed(2)} ms`,
    goal: `≤ ${GOAL_MS} ms`,
    met: median(times) <= GOAL_MS,
  };
}

/** Each round frees one slot, as an attempt does that ends. */
async function timeJobs(): Promise<readonly number[]> {
  const pools = new Map([["default", Number.MAX_SAFE_INTEGER]]);
  const limit = (maxConcurrent: number) => ({ maxConcurrent, groups: new Map<string, number>(), pools });
  const queue = new RunQueue({ limits: limit(RUNNING) });
  const ends: (() => void)[] = [];
  const run = (): Promise<{ kind: "parked" }> =>
    new Promise((resolve) => ends.push(() => resolve({ kind: "parked" })));
  for (let number = 0; number < WAITING + RUNNING; number += 1) queue.addJob(makeJob(number), run);
  await settle();
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1)
    times.push(
      await timed(() => {
        queue.setLimits(limit(RUNNING + round));
        return settle();
      }),
    );
  if (ends.length !== RUNNING + ROUNDS) throw new Error(`${ends.length} jobs were started`);
  const closed = queue.close();
  for (const end of ends) end();
  await closed;
  return times;
}

/** The queue chooses in a microtask. */
async function settle(): Promise<void> {
  await Promise.resolve();
  await Promise.resolve();
}

function makeJob(number: number): Job {
  return {
    id: `job-${number}`,
    group: `story-${number % STORIES}`,
    priority: number % 3,
    enqueuedAt: number,
    scope: [`src/part-${number}/**`],
    dependsOn: [],
    holdsSlot: true,
    pool: "default",
  };
}

/** The machines have a slot for each that runs, and some more. */
async function timeOffers(): Promise<readonly number[]> {
  const waiting = Array.from({ length: WAITING }, (_, number): WaitingAttempt => {
    const offered = undefined;
    return { pool: "default", priority: number % 3, sinceMs: number, home: undefined, offered, findFull };
  });
  const machines = Array.from({ length: MACHINES }, (_, number) => ({
    name: `machine-${number}`,
    incarnation: "one",
    pools: ["default"],
    free: number === 0 ? MACHINES * SLOTS - RUNNING : 0,
  }));
  const rules = { nowMs: WAITING, repeatMs: 5000, homeMs: 30_000 };
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    times.push(await timed(() => chooseOffers(waiting, machines, rules)));
  return times;
}

function findFull(): undefined {
  return undefined;
}
