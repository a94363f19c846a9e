/**
 * Does size cost? npm run bench -- scale --delegations 100000 --events 1000000
 * Compares a store with ten delegations and one with very many, in interleaved rounds.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openReader } from "../src/journal/open-reader.ts";
import { openStore } from "../src/journal/open-store.ts";
import { storeFile } from "../src/journal/store-file.ts";
import { keepCheckpoint } from "../src/supervisor/keep-checkpoint.ts";
import { openRepository } from "../src/workspace/repository.ts";
import type { Store, StoreReader } from "../src/journal/store.ts";
import { buildCost } from "../src/reports/cost.ts";
import { buildTree } from "../src/reports/tree.ts";
import { choosingResults } from "./choosing.ts";
import { commandResults } from "./command-times.ts";
import { cycleResults } from "./cycle.ts";
import { benchLease, delegationsPerStory, fillStore, openBenchStory } from "./fill-store.ts";
import { interleave, median, printResults, ratio, timed, type Result } from "./measure.ts";
import { ownStoreFile } from "../test/own-store-file.ts";

const STEPS = ["admit", "begin", "spend", "settle"] as const;

export async function scale(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      delegations: { type: "string", default: "2000" },
      events: { type: "string", default: "20000" },
      rounds: { type: "string", default: "200" },
      project: { type: "string" },
    },
  });
  const delegations = Number(values.delegations);
  const folder = mkdtempSync(join(tmpdir(), "ambit-scale-"));
  // A project that was filled before may be measured again: filling is the slow part.
  const project = values.project ?? join(folder, "large");
  try {
    const filled = await fill(project, delegations, Number(values.events));
    const results = [
      ...filled,
      ...(await stepResults(folder, project, Number(values.rounds))),
      ...(await readResults(project)),
      ...(await cycleResults(delegations)),
      ...(await choosingResults()),
      ...commandResults(project),
    ];
    return printResults("scale", results);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(project: string, delegations: number, events: number): Promise<Result[]> {
  mkdirSync(project, { recursive: true });
  const file = ownStoreFile(project);
  const isFilled = existsSync(file);
  const store = openStore(file);
  const eventsPerDelegation = Math.round(events / delegations);
  const onProgress = (stories: number): void => {
    if (stories % 100 === 0) console.error(`filled ${stories * delegationsPerStory} delegations`);
  };
  const ms = await timed(async () => {
    if (!isFilled) await fillStore(store, { delegations, eventsPerDelegation, onProgress });
  });
  const [head, totals] = [await store.head(), await store.totals()];
  await store.close();
  await makeCheckpoint(project, file);
  return [
    { what: "delegations / events in the store", value: `${totals.delegations} / ${head.seq}` },
    {
      what: "filling, per event",
      value: isFilled ? "filled before" : `${((ms / head.seq) * 1000).toFixed(0)} µs`,
    },
  ];
}

/** As a supervisor does it when stories end, round by round. */
async function makeCheckpoint(project: string, file: string): Promise<void> {
  const host = { searchPath: process.env["PATH"] ?? "/usr/bin:/bin", home: project };
  const repository = await openRepository(project, host);
  for (let last = -1, events = 0; events > last;) {
    last = events;
    events = await keepCheckpoint(repository, file);
  }
}

/** One durable step at a time, at ten delegations and at very many, in the same rounds. */
async function stepResults(folder: string, project: string, rounds: number): Promise<Result[]> {
  const small = openStore(join(folder, "small.db"));
  const large = openStore(ownStoreFile(project));
  const times = { small: newTimes(), large: newTimes() };
  await fillStore(small, { delegations: 10, eventsPerDelegation: 10 });
  let count = 0;
  const measure = async (store: Store, steps: ReturnType<typeof newTimes>): Promise<number> => {
    const id = `STEP-${process.pid}-${(count += 1)}`;
    await openBenchStory(store, id);
    return oneDelegation(store, id, steps);
  };
  const totals = await interleave(rounds, {
    small: () => measure(small, times.small),
    large: () => measure(large, times.large),
  });
  await Promise.all([small.close(), large.close()]);
  const rows = STEPS.map((step) => [step, times.small[step], times.large[step]] as const);
  const all = ["all four", totals.get("small") ?? [], totals.get("large") ?? []] as const;
  return [...rows, all].map(([step, few, many]) => ({
    what: `durable ${step}: at 10 → at full size`,
    value: `${median(few).toFixed(2)} → ${median(many).toFixed(2)} ms, ${ratio(many, few).toFixed(2)}×`,
    goal: "≤ 3×",
    met: ratio(many, few) <= 3,
  }));
}

function newTimes(): Record<(typeof STEPS)[number], number[]> {
  return { admit: [], begin: [], spend: [], settle: [] };
}

async function oneDelegation(
  store: Store,
  story: string,
  steps: ReturnType<typeof newTimes>,
): Promise<number> {
  const id = `${story}-DEL-001`;
  const requests = [{ description: "one more piece of work" }];
  const usage = {
    inputTokens: 10,
    cachedTokens: 0,
    outputTokens: 10,
    microUsd: 10,
    source: "reported",
  } as const;
  const work = {
    admit: () => store.admit({ parent: story, parentAttempt: 1, requests }),
    begin: () => store.begin(id, 1, benchLease),
    spend: () => store.spend(id, 1, usage),
    settle: () => store.settle(id, 1, { outcome: "partial", summary: "done" }),
  };
  let total = 0;
  for (const step of STEPS) {
    const ms = await timed(work[step]);
    steps[step].push(ms);
    total += ms;
  }
  await store.settle(story, 1, { outcome: "partial", summary: "done" });
  return total;
}

/** Tree and cost of one story of a hundred delegations, through a reader opened like a command opens it. */
async function readResults(project: string): Promise<Result[]> {
  const reader = openReader(storeFile(project));
  if (reader === undefined) throw new Error("the store is gone");
  const id = "FILL-1";
  const times = await interleave(50, {
    "tree of one story": () => timed(async () => buildTree(await reader.storyTree(id), id)),
    "cost of one story": () =>
      timed(async () => {
        const story = await reader.story(id);
        if (story !== undefined) buildCost(story, await reader.storyTree(id));
      }),
    "ancestor line read from the store": () => timed(() => readAncestors(reader, `${id}-DEL-005-DEL-005`)),
    "totals of the store": () => timed(() => reader.totals()),
  });
  await reader.close();
  return [...times].map(([what, list]) => {
    const value = `${median(list).toFixed(2)} ms`;
    return what.endsWith("one story")
      ? { what, value, goal: "≤ 10 ms", met: median(list) <= 10 }
      : { what, value };
  });
}

async function readAncestors(reader: StoreReader, id: string): Promise<void> {
  for (let at: string | null = id; at !== null;) at = (await reader.delegation(at))?.parent ?? null;
}
