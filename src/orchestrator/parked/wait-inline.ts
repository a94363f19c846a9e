import { setTimeout as delay } from "node:timers/promises";
import type { Delegation } from "../../journal/store.ts";
import type { LiveAttempts } from "../live/live-attempts.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { LEASE_MS } from "../running/prepare/prepare-attempt.ts";

export interface InlineWait {
  readonly manager: Delegation;
  readonly waitingFor: readonly string[];
  readonly capMs: number;
  /** Resolves when all of it is over. */
  readonly over: Promise<unknown>;
  /** Resolves when something needs the manager first; it stays parked and is told so. */
  readonly interrupted?: Promise<unknown>;
  readonly live: LiveAttempts;
  /** Lets others use the manager's slot, or takes it back. */
  readonly lendSlot: (isLent: boolean) => void;
}

const LOOK_MS = 100;

/**
 * A manager whose call waits holds no slot meanwhile. `done`: it goes on in the same attempt. `ticket`: it took too
 * long or no slot was free, and the manager is asked to end its turn; it is resumed with the results.
 */
export async function waitInline(tools: RunTools, wait: InlineWait): Promise<"done" | "ticket"> {
  const { manager, capMs } = wait;
  const { id, attempt } = manager;
  const deadline = tools.clock.monotonicMs() + capMs;
  await park(tools, wait);
  wait.lendSlot(true);
  const first = await Promise.race([
    wait.over.then(() => "over"),
    delay(capMs, "late", { ref: false }),
    wait.live.whenLeft(id),
    ...(wait.interrupted === undefined ? [] : [wait.interrupted.then(() => "interrupted")]),
  ]);
  if (first !== "over") {
    // Another call of the same turn may have gone on meanwhile; the ticket must be in the journal all the same.
    await park(tools, wait);
    return "ticket";
  }
  const { limits } = await tools.settings();
  const lease = { owner: tools.owner, leaseMs: LEASE_MS, maxConcurrent: limits.maxConcurrent };
  while (tools.clock.monotonicMs() < deadline) {
    const answer = await wait.live.during(manager, () => tools.store.rejoin(id, attempt, lease));
    if (answer === undefined) return "ticket";
    // Another call of the same turn may have taken the slot back already.
    if (answer === "stale") return (await isAtWork(tools, manager)) ? "done" : "ticket";
    if (answer === "ok") {
      wait.lendSlot(false);
      return "done";
    }
    await delay(LOOK_MS);
  }
  return "ticket";
}

/** Writes down what is waited for, beside what another call of the same turn may wait for already. */
async function park(tools: RunTools, { manager, waitingFor, live }: InlineWait): Promise<void> {
  const { id, story, attempt } = manager;
  await live.during(manager, async () => {
    const now = await tools.store.delegation(id);
    const known = now?.state === "parked" ? now.waitingFor : [];
    const all = new Set([...known, ...waitingFor]);
    if (all.size === known.length) return;
    const data = { waitingFor: [...all] };
    await tools.store.record({ type: "delegation-parked", story, delegation: id, attempt, data });
  });
}

async function isAtWork(tools: RunTools, { id, attempt }: Delegation): Promise<boolean> {
  const now = await tools.store.delegation(id);
  return now?.state === "running" && now.attempt === attempt;
}
