import type { Lease } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** How long an attempt stays ours without a heartbeat. */
export const LEASE_MS = 60_000;

/** The lease with which the store gives an attempt its slot. */
export async function readLease({ owner, slots, store }: RunTools, story: string): Promise<Lease> {
  const own = (await store.story(story))?.limits.maxConcurrent ?? 0;
  return { owner, leaseMs: LEASE_MS, maxConcurrent: Math.max(own, await slots()) };
}
