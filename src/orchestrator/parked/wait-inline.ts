import { setTimeout as delay } from "node:timers/promises";
import type { Delegation } from "../../journal/store.ts";
import type { LiveAttempts } from "../live/live-attempts.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { readLease } from "../delegation/lease.ts";
import { recordEvent } from "../delegation/record.ts";

export interface InlineWait {
  readonly manager: Delegation;
  readonly waitingFor: readonly string[];
  readonly capMs: number;
  /** Resolves when the wait is over. */
  readonly over: Promise<unknown>;
  /** Resolves when the manager is needed first; it stays parked, and the call says so. */
  readonly interrupted?: Promise<unknown>;
  readonly live: LiveAttempts;
  /** Lets others use the manager's slot, or takes it back. */
  readonly lendSlot: (isLent: boolean) => void;
}

const RETRY_MS = 100;

/**
 * Waits inside a manager's call, which holds no slot meanwhile. `done`: it continues in the same attempt. `ticket`: it
 * took too long or no slot was free, so the manager should end its turn; it is resumed with the results.
 */
export async function waitInline(tools: RunTools, wait: InlineWait): Promise<"done" | "ticket"> {
  const { manager, capMs } = wait;
  const { id, attempt } = manager;
  const deadline = tools.clock.monotonicMs() + capMs;
  await parkManager(tools, wait);
  wait.lendSlot(true);
  const first = await Promise.race([
    wait.over.then(() => "over"),
    delay(capMs, "late", { ref: false }),
    wait.live.whenLeft(id),
    ...(wait.interrupted === undefined ? [] : [wait.interrupted.then(() => "interrupted")]),
  ]);
  if (first !== "over") {
    // Another call of the same turn may have ended the wait meanwhile; the journal must still have the ticket.
    await parkManager(tools, wait);
    return "ticket";
  }
  const lease = await readLease(tools, manager.story);
  while (tools.clock.monotonicMs() < deadline) {
    const answer = await wait.live.runWhileLive(manager, () => tools.store.rejoin(id, attempt, lease));
    if (answer === undefined) return "ticket";
    // Another call of the same turn may have taken the slot back already.
    if (answer === "stale") return (await isAtWork(tools, manager)) ? "done" : "ticket";
    if (answer === "ok") {
      wait.lendSlot(false);
      return "done";
    }
    await delay(RETRY_MS);
  }
  return "ticket";
}

/** Records what it waits for, in addition to the waits of another call of the same turn. */
async function parkManager(tools: RunTools, { manager, waitingFor, live }: InlineWait): Promise<void> {
  const { id } = manager;
  await live.runWhileLive(manager, async () => {
    const now = await tools.store.delegation(id);
    const known = now?.state === "parked" ? now.waitingFor : [];
    const all = new Set([...known, ...waitingFor]);
    if (all.size === known.length) return;
    await recordEvent(tools, manager, { type: "delegation-parked", data: { waitingFor: [...all] } });
  });
}

async function isAtWork(tools: RunTools, { id, attempt }: Delegation): Promise<boolean> {
  const now = await tools.store.delegation(id);
  return now?.state === "running" && now.attempt === attempt;
}
