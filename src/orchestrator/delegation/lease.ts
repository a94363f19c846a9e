import type { Lease } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";

const LEASE_MS = 60_000;

/** How long an attempt stays ours without a heartbeat. */
export function readLeaseMs({ leaseMs = LEASE_MS }: Pick<RunTools, "leaseMs">): number {
  return leaseMs;
}

/** The lease with which the store gives an attempt its slot. */
export async function readLease(tools: RunTools, story: string): Promise<Lease> {
  const { owner, slots, slotCap, store } = tools;
  const own = (await store.story(story))?.limits.maxConcurrent ?? 0;
  const maxConcurrent = slotCap ?? Math.max(own, await slots());
  return { owner, leaseMs: readLeaseMs(tools), maxConcurrent };
}
