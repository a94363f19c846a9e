import type { Clock } from "../../src/base/clock.ts";
import { defaultLimits, type Limits } from "../../src/contract/limits.ts";
import type { Admission, Delegation, NewDelegation, Settlement, Store } from "../../src/journal/store.ts";
import { parseMicroUsd } from "../../src/base/money.ts";

/** Stands still until somebody moves it. */
export class FakeClock implements Clock {
  #nowMs: number;

  constructor(start = "2026-01-20T10:30:00Z") {
    this.#nowMs = Date.parse(start);
  }

  wallMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  /** A time of the same day, such as `10:45` or `10:35:22`. */
  moveTo(time: string): void {
    const day = new Date(this.#nowMs).toISOString().slice(0, "2026-01-20".length);
    this.#nowMs = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`);
  }

  advance(durationMs: number): void {
    this.#nowMs += durationMs;
  }
}

export const lease = { owner: "test", leaseMs: 3_600_000, maxConcurrent: 64 } as const;

/** Wide enough for a hundred workers at once. */
const limits: Limits = { ...defaultLimits, maxDelegations: 100, fanOut: [100, 5, 3], maxConcurrent: 64 };

/** Opens a story and starts its manager. */
export async function openStory(store: Store, id: string, title: string): Promise<void> {
  await store.openStory({ id, kind: "story", title, agent: "orchestrator", limits });
  await store.begin(id, 1, lease);
}

/** Admits one delegation and starts its first attempt. */
export async function start(store: Store, parent: string, request: NewDelegation): Promise<Delegation> {
  const [admission] = await store.admit({ parent, parentAttempt: 1, requests: [request] });
  const { id } = admitted(admission);
  const begun = await store.begin(id, 1, lease);
  if (begun !== "ok") throw new Error(`${id} did not start: ${begun}`);
  return admitted(admission);
}

function admitted(admission: Admission | undefined): Delegation {
  if (admission?.admitted === true) return admission.delegation;
  throw new Error(`not admitted: ${JSON.stringify(admission?.failures)}`);
}

export interface Spent {
  readonly in: number;
  readonly out: number;
  readonly usd: number;
  readonly source?: "reported" | "estimated" | "simulated";
}

export async function spend(store: Store, id: string, spent: Spent): Promise<void> {
  await store.spend(id, 1, {
    inputTokens: spent.in,
    cachedTokens: 0,
    outputTokens: spent.out,
    microUsd: parseMicroUsd(spent.usd),
    source: spent.source ?? "reported",
  });
}

/** Walks a running delegation through return, proof and merge to its end. */
export async function complete(
  store: Store,
  id: string,
  filesChanged: readonly string[] = [],
): Promise<void> {
  const story = id.split("-DEL-")[0] ?? id;
  const about = { story, delegation: id, attempt: 1 } as const;
  const returned = { status: "completed", summary: "Done.", artifacts: [] };
  await store.record({ ...about, type: "delegation-returned", data: returned });
  await store.record({
    ...about,
    type: "delegation-verified",
    data: { passed: 1, failed: 0, unverified: 0 },
  });
  const merged = { into: `ambit/${story}`, commit: "c0ffee", filesChanged: [...filesChanged] };
  await store.record({ ...about, type: "delegation-merged", data: merged });
  await end(store, id, { outcome: "completed", summary: "Done.", filesChanged });
}

export async function end(store: Store, id: string, settlement: Settlement): Promise<void> {
  const settled = await store.settle(id, 1, settlement);
  if (settled !== "ok") throw new Error(`${id} was not settled: ${settled}`);
}

/** The sources' worked example: US-007 with three workers and one below the first; $3.70 in all. */
export async function fillSeedStory(store: Store, clock: FakeClock): Promise<void> {
  await openStory(store, "US-007", "Add authentication");
  await spend(store, "US-007", { in: 25_000, out: 8000, usd: 2.5 });
  const first = await start(store, "US-007", {
    description: "JWT service",
    agent: "implementer",
    estimatedHours: 4,
  });
  clock.moveTo("10:31");
  await store.record({
    type: "workspace-created",
    story: "US-007",
    delegation: first.id,
    attempt: 1,
    data: {
      path: "../project.worktrees/ambit/workspaces/US-007-DEL-001",
      branch: "delegation/US-007-DEL-001",
      base: "c0ffee",
      durationMs: 125,
    },
  });
  const second = await start(store, "US-007", { description: "Login routes", estimatedHours: 3 });
  const third = await start(store, "US-007", { description: "Middleware", estimatedHours: 2 });
  clock.moveTo("10:33");
  const nested = await start(store, first.id, { description: "refresh", estimatedHours: 1 });
  clock.moveTo("10:42");
  await spend(store, nested.id, { in: 5000, out: 1200, usd: 0.15 });
  await complete(store, nested.id, ["lib/refresh.py"]);
  clock.moveTo("10:45");
  await spend(store, first.id, { in: 12_500, out: 3200, usd: 0.45 });
  await complete(store, first.id, ["lib/jwt.py", "tests/test_jwt.py"]);
  await spend(store, second.id, { in: 10_000, out: 3000, usd: 0.38 });
  await complete(store, second.id);
  await spend(store, third.id, { in: 7500, out: 2200, usd: 0.22 });
  await complete(store, third.id);
}
