import { describe, expect, it } from "vitest";
import { KeptLeases } from "../../../src/orchestrator/machines/kept-leases.ts";
import type { HeartbeatResult } from "../../../src/journal/store.ts";

/** The shortest that the settings allow. */
const LEASE_MS = 10_000;

/** Stops that come while the database gives this answer. */
async function listStops(
  heartbeat: () => Promise<HeartbeatResult>,
  more: { readonly neverFences?: boolean } = {},
): Promise<readonly string[]> {
  const stops: string[] = [];
  const stop = (id: string, reason: string): void => void stops.push(`${id} ${reason}`);
  const leases = new KeptLeases({ store: { heartbeat }, leaseMs: LEASE_MS, stop, ...more });
  leases.keep("S1", 1);
  // The lease itself: whatever happens must have happened before its end.
  await new Promise((resolve) => setTimeout(resolve, LEASE_MS));
  await leases.close();
  return [...new Set(stops)];
}

const isAway = (): Promise<never> => Promise.reject(new Error("the database is away"));

describe.concurrent("the leases that a machine keeps", () => {
  it("end an attempt before its lease has run out when it is not confirmed", async () => {
    expect(await listStops(isAway)).toEqual(["S1 fenced"]);
  });

  it("let such an attempt continue without the defence (control)", async () => {
    expect(await listStops(isAway, { neverFences: true })).toEqual([]);
  });

  it("are in doubt from their end on, counted from the moment in which they were asked for", async () => {
    const leases = new KeptLeases({ store: { heartbeat: isAway }, leaseMs: LEASE_MS, stop: () => undefined });
    leases.keep("S1", 1, performance.now() - LEASE_MS);
    leases.keep("S2", 1);
    expect([leases.isInDoubt("S1"), leases.isInDoubt("S2"), leases.isInDoubt("S3")]).toEqual([
      true,
      false,
      false,
    ]);
    await leases.close();
  });

  it("let a confirmed attempt run, and end one that is stopped or taken over", async () => {
    const answers = (answer: HeartbeatResult) => listStops(async () => answer);
    const all = await Promise.all([answers("ok"), answers("cancelled"), answers("stale")]);
    expect(all).toEqual([[], ["S1 cancelled"], ["S1 fenced"]]);
  });
});
