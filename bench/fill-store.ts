import { defaultLimits } from "../src/contract/limits.ts";
import type { Delegation, Store } from "../src/journal/store.ts";

/** A story as large as the caps allow: 10 managers with 9 workers each. */
const MANAGERS = 10;
const WORKERS = 9;
export const delegationsPerStory: number = MANAGERS + MANAGERS * WORKERS;

const STORIES_AT_ONCE = 4;
const limits = {
  ...defaultLimits,
  maxDelegations: 100,
  fanOut: [100, 100, 100] satisfies [number, number, number],
  maxConcurrent: 64,
};
const lease = { owner: "bench", leaseMs: 3_600_000, maxConcurrent: Number.MAX_SAFE_INTEGER };

export interface FillOptions {
  readonly delegations: number;
  readonly eventsPerDelegation: number;
  /** The last story stays open, so that commands have something to show. */
  readonly onProgress?: (stories: number) => void;
}

/** Fills a store through its public face; steps asked for together share a commit. Returns the story ids. */
export async function fillStore(store: Store, options: FillOptions): Promise<readonly string[]> {
  const count = Math.max(1, Math.round(options.delegations / delegationsPerStory));
  const ids = Array.from({ length: count }, (_, index) => `FILL-${index + 1}`);
  for (let from = 0; from < ids.length; from += STORIES_AT_ONCE) {
    const group = ids.slice(from, from + STORIES_AT_ONCE);
    await Promise.all(group.map((id) => runStory(store, id, { ...options, isLast: id === ids.at(-1) })));
    options.onProgress?.(from + group.length);
  }
  return ids;
}

export async function openBenchStory(store: Store, id: string): Promise<void> {
  await store.openStory({ id, kind: "story", title: `story ${id}`, agent: "manager", limits });
  await store.begin(id, 1, lease);
}

export { lease as benchLease };

type StoryRun = FillOptions & { readonly isLast: boolean };

async function runStory(store: Store, id: string, run: StoryRun): Promise<void> {
  await openBenchStory(store, id);
  const managers = await admit(store, id, MANAGERS);
  await Promise.all(managers.map((manager) => store.begin(manager.id, 1, lease)));
  const nested = await Promise.all(managers.map((manager) => admit(store, manager.id, WORKERS)));
  const workers = nested.flat();
  // Managers hold slots too: two halves of the workers stay below the story's 64.
  const half = Math.ceil(workers.length / 2);
  for (const part of [workers.slice(0, half), workers.slice(half)]) await work(store, part, run);
  if (run.isLast) return;
  await work(store, managers, run);
  await store.settle(id, 1, { outcome: "partial", summary: "the story is done" });
}

async function admit(store: Store, parent: string, count: number): Promise<readonly Delegation[]> {
  const requests = Array.from({ length: count }, (_, index) => ({
    description: `piece ${index + 1} of the work below ${parent}`,
    estimatedHours: 4,
    criteria: ["npm test exits with code 0"],
  }));
  const admissions = await store.admit({ parent, parentAttempt: 1, requests });
  return admissions.flatMap((admission) => (admission.admitted ? [admission.delegation] : []));
}

/** Admitted, begun, used several times, returned and closed: the rest of the events are reports of use. */
async function work(store: Store, part: readonly Delegation[], run: StoryRun): Promise<void> {
  const isWaiting = part.some((delegation) => delegation.depth > 1);
  if (isWaiting) await Promise.all(part.map(({ id }) => store.begin(id, 1, lease)));
  const usage = {
    inputTokens: 1200,
    cachedTokens: 300,
    outputTokens: 90,
    microUsd: 4500,
    source: "reported",
  } as const;
  const reports = Array.from({ length: Math.max(0, run.eventsPerDelegation - 4) }, () => usage);
  await Promise.all(part.flatMap(({ id }) => reports.map((report) => store.spend(id, 1, report))));
  const data = { status: "completed", summary: "Did it. Tests pass.", artifacts: ["src/a.ts"] };
  const returned = part.map(({ id, story }) =>
    store.record({ type: "delegation-returned", story, delegation: id, attempt: 1, data }),
  );
  await Promise.all(returned);
  const settlement = {
    outcome: "partial",
    summary: "Did it. Tests pass.",
    filesChanged: ["src/a.ts"],
  } as const;
  await Promise.all(part.map(({ id }) => store.settle(id, 1, settlement)));
}
