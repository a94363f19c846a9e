import { closeSync, openSync, writeSync } from "node:fs";
import { DelegationError } from "../../../src/base/delegation-error.ts";
import { defaultLimits } from "../../../src/contract/limits.ts";
import { openStore } from "../../../src/journal/open-store.ts";
import type { Delegation, Store } from "../../../src/journal/store.ts";
import { createRandom, type Random } from "../random.ts";
import { admitUnchecked } from "./admit-unchecked.ts";

/** Small limits, so that every one of them is reached many times in a run. */
const storyLimits = {
  ...defaultLimits,
  maxDepth: 2,
  maxDelegations: 9,
  fanOut: [5, 3, 2] satisfies [number, number, number],
  maxConcurrent: 3,
  storyMicroUsd: 1_000_000,
};
export const globalConcurrency = 5;
const LEASE_MS = 300;
const OPEN_STORIES = 6;

/** Faults planted on purpose: the checker must see each of them. */
export type Planted = "none" | "limit-outside-transaction" | "acknowledge-early";

export interface WriterOptions {
  readonly store: string;
  readonly acks: string;
  readonly name: string;
  readonly seed: number;
  readonly planted: Planted;
}

interface Work {
  readonly store: Store;
  readonly random: Random;
  readonly options: WriterOptions;
  /** A text no other step of any writer uses. */
  readonly token: () => string;
  /** Runs a committed step, then writes the line that says so. */
  readonly acknowledge: <Result>(step: Promise<Result>, line: (result: Result) => string) => Promise<Result>;
}

/** Works on the shared store until it is killed. */
export async function runWriter(options: WriterOptions): Promise<void> {
  const file = openSync(options.acks, "a");
  const random = createRandom(options.seed);
  const store = openStore(options.store);
  let step = 0;
  const work: Work = {
    store,
    random,
    options,
    token: () => `${options.name}-${(step += 1)}`,
    acknowledge: async (promise, line) => {
      const result = await promise;
      const text = line(result);
      // One write of one line: it is in the kernel's hands before the next step begins.
      if (text !== "") writeSync(file, `${text}\n`);
      return result;
    },
  };
  process.on("exit", () => closeSync(file));
  for (;;) {
    const open = await store.openDelegations(60);
    // Several steps at once share a commit, and a kill can fall into the middle of it.
    const steps = Array.from({ length: 1 + random.below(4) }, () => takeStep(work, open));
    await Promise.all(steps);
  }
}

async function takeStep(work: Work, open: readonly Delegation[]): Promise<void> {
  const { random, store } = work;
  const roots = open.filter((delegation) => delegation.depth === 0);
  if (roots.length < OPEN_STORIES && random.chance(0.5)) return openStory(work);
  if (open.length === 0 || random.chance(0.05)) return requeue(work);
  const delegation = random.pick(open);
  if (work.options.planted === "acknowledge-early") return noteTooEarly(work, delegation.story);
  if (work.options.planted === "limit-outside-transaction") return overbook(work, delegation);
  if (delegation.state === "queued") return begin(work, delegation);
  if (delegation.state === "running" && random.chance(0.45)) return admit(work, delegation);
  if (random.chance(0.3)) return spend(work, delegation);
  if (random.chance(0.2)) return note(work, delegation);
  if (random.chance(0.03))
    return store.requestCancel(delegation.id, { reason: "test", by: work.options.name });
  if (random.chance(0.2)) return void (await store.heartbeat(delegation.id, delegation.attempt, LEASE_MS));
  return random.chance(0.5) ? advance(work, delegation) : settle(work, delegation);
}

async function openStory({ store, token, acknowledge, options }: Work): Promise<void> {
  const id = `S-${token()}`;
  const story = { id, kind: "story", title: id, agent: "manager", limits: storyLimits } as const;
  await acknowledge(store.openStory(story), () => `story ${id}`);
  const lease = { owner: options.name, leaseMs: LEASE_MS, maxConcurrent: globalConcurrency };
  await store.begin(id, 1, lease);
}

async function begin({ store, token, acknowledge }: Work, delegation: Delegation): Promise<void> {
  const owner = token();
  const attempt = delegation.attempt + 1;
  const lease = { owner, leaseMs: LEASE_MS, maxConcurrent: globalConcurrency };
  await acknowledge(store.begin(delegation.id, attempt, lease), (result) =>
    result === "ok" ? `begun ${owner} ${delegation.id} ${attempt}` : "",
  );
}

async function admit(work: Work, manager: Delegation): Promise<void> {
  const { store, random, token, acknowledge } = work;
  const requests = Array.from({ length: 1 + random.below(3) }, () => ({
    description: token(),
    ...(random.chance(0.5) ? { budgetMicroUsd: random.below(400_000) } : {}),
  }));
  const batch = { parent: manager.id, parentAttempt: manager.attempt, requests };
  await acknowledge(store.admit(batch), (admissions) =>
    requests
      .map(({ description }, index) => {
        const admission = admissions[index];
        return admission?.admitted === true
          ? `admitted ${description} ${admission.delegation.id}`
          : `refused ${description}`;
      })
      .join("\n"),
  );
}

/** The planted fault, at every manager that runs. */
async function overbook(work: Work, delegation: Delegation): Promise<void> {
  if (delegation.state === "queued" && delegation.depth === 0) return begin(work, delegation);
  if (delegation.state !== "running") return;
  await admitUnchecked(work.options.store, delegation.id, work.token());
}

async function spend({ store, random, token, acknowledge }: Work, delegation: Delegation): Promise<void> {
  const model = token();
  const usage = {
    model,
    inputTokens: random.below(1000),
    cachedTokens: 0,
    outputTokens: random.below(100),
    microUsd: random.below(20_000),
    source: "reported",
  } as const;
  await acknowledge(store.spend(delegation.id, delegation.attempt, usage), (result) =>
    result.kind === "ok" ? `spent ${model} ${delegation.id} ${usage.microUsd}` : "",
  );
}

async function note(work: Work, delegation: Delegation): Promise<void> {
  const { id, story, attempt } = delegation;
  const text = work.token();
  const event = { type: "note-added", story, delegation: id, attempt, data: { text } } as const;
  await work.acknowledge(work.store.record(event), (result) => (result === "ok" ? `noted ${text}` : ""));
}

/** The planted fault: says it is done before it is. */
async function noteTooEarly(work: Work, story: string): Promise<void> {
  const text = work.token();
  await work.acknowledge(Promise.resolve(), () => `noted ${text}`);
  await work.store.record({ type: "note-added", story, delegation: null, attempt: 0, data: { text } });
}

/** One step towards a proven end; another writer may have taken it meanwhile. */
async function advance({ store, token }: Work, delegation: Delegation): Promise<void> {
  const { id, story, attempt, state } = delegation;
  const about = { story, delegation: id, attempt } as const;
  const returned = { status: "completed", summary: token(), artifacts: [] };
  const verified = { passed: 1, failed: 0, unverified: 0 };
  try {
    if (state === "running" && delegation.openWorkers === 0)
      await store.record({ ...about, type: "delegation-returned", data: returned });
    if (state === "returned") await store.record({ ...about, type: "delegation-verified", data: verified });
  } catch (error) {
    if (!(error instanceof DelegationError) || error.code !== "ILLEGAL_TRANSITION") throw error;
  }
}

async function settle({ store, random, token, acknowledge }: Work, delegation: Delegation): Promise<void> {
  const summary = token();
  const outcome =
    delegation.state === "verified" ? "completed" : random.pick(["partial", "failed", "cancelled"] as const);
  await acknowledge(store.settle(delegation.id, delegation.attempt, { outcome, summary }), (result) =>
    result === "ok" ? `settled ${summary} ${delegation.id} ${outcome}` : "",
  );
}

async function requeue({ store, acknowledge }: Work): Promise<void> {
  await acknowledge(store.requeueLost(), (ids) => ids.map((id) => `lost ${id}`).join("\n"));
}
