import { beforeEach, describe, expect, it } from "vitest";
import type { AttemptCost, Usage } from "../../src/contract/usage.ts";
import { defaultLimits } from "../../src/contract/limits.ts";
import type { Delegation, RecordableEvent, Store } from "../../src/journal/store.ts";
import { FakeClock, lease, openStory, start } from "../reports/fill-store.ts";
import { temporaryStore } from "../reports/temporary-store.ts";

let store: Store;
let clock: FakeClock;

beforeEach(async () => {
  clock = new FakeClock();
  store = temporaryStore(clock);
  await openStory(store, "US-1", "Cost");
});

const usage: Usage = {
  inputTokens: 100,
  cachedTokens: 20,
  outputTokens: 3,
  microUsd: 50,
  source: "reported",
};
const use = { inputTokens: 100, cachedTokens: 20, outputTokens: 3, microUsd: 50 };

async function read(id = "US-1"): Promise<Delegation> {
  const found = await store.delegation(id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
}

const about = (attempt: number) => ({ story: "US-1", delegation: "US-1", attempt }) as const;

async function record(event: RecordableEvent): Promise<void> {
  expect(await store.record(event)).toBe("ok");
}

const ended = (attempt: number, cost: AttemptCost): RecordableEvent => ({
  ...about(attempt),
  type: "attempt-ended",
  data: { reason: "exited", exitCode: 0, code: null, durationMs: 1, cost },
});

describe("the usage of an agent's session", () => {
  it("is the sum booked by all attempts that continued it, and restarts with a new session", async () => {
    await record({ ...about(1), type: "session-known", data: { sessionId: "s-1" } });
    await store.spend("US-1", 1, usage);
    expect((await read()).sessionUse).toStrictEqual(use);
    await record({ ...about(1), type: "attempt-lost", data: { reason: "killed" } });
    await store.begin("US-1", 2, lease);
    await store.spend("US-1", 2, usage);
    expect((await read()).sessionUse).toStrictEqual({
      inputTokens: 200,
      cachedTokens: 40,
      outputTokens: 6,
      microUsd: 100,
    });
    await record({ ...about(2), type: "attempt-retried", data: { reason: "note", kind: "handover" } });
    await store.begin("US-1", 3, lease);
    expect((await read()).sessionUse.inputTokens).toBe(0);
    expect((await read()).inputTokens).toBe(200);
  });

  it("is zero for an unknown session", async () => {
    await store.spend("US-1", 1, usage);
    await record({ ...about(1), type: "attempt-lost", data: { reason: "killed" } });
    await store.begin("US-1", 2, lease);
    expect((await read()).sessionUse.inputTokens).toBe(0);
  });
});

describe("the certainty of a cost", () => {
  it("is no longer estimated once the agent reports the same sum", async () => {
    await store.spend("US-1", 1, { ...usage, source: "estimated" });
    expect((await read()).estimated).toBe(true);
    const cost = { bookedMicroUsd: 50, reportedMicroUsd: 50, estimatedMicroUsd: 40, unpricedTokens: 0 };
    await record(ended(1, cost));
    expect(await read()).toMatchObject({
      estimated: false,
      compared: { reportedMicroUsd: 50, estimatedMicroUsd: 40 },
    });
  });

  it.each([
    { bookedMicroUsd: 50, reportedMicroUsd: 45, estimatedMicroUsd: 50, unpricedTokens: 0 },
    { bookedMicroUsd: 50, reportedMicroUsd: null, estimatedMicroUsd: 50, unpricedTokens: 0 },
  ])("stays estimated otherwise: %j", async (cost) => {
    await store.spend("US-1", 1, { ...usage, source: "estimated" });
    await record(ended(1, cost));
    expect((await read()).estimated).toBe(true);
  });

  it("stays estimated for an earlier, unconfirmed attempt", async () => {
    await store.spend("US-1", 1, { ...usage, source: "estimated" });
    await record({ ...about(1), type: "attempt-lost", data: { reason: "killed" } });
    await store.begin("US-1", 2, lease);
    await store.spend("US-1", 2, usage);
    await record(
      ended(2, { bookedMicroUsd: 50, reportedMicroUsd: 50, estimatedMicroUsd: null, unpricedTokens: 0 }),
    );
    expect(await read()).toMatchObject({ estimated: true, compared: null });
  });

  it("includes a count of the tokens without a price, until dollars are reported for them", async () => {
    const unpriced = { ...usage, microUsd: 0, source: "unpriced" } as const;
    await store.spend("US-1", 1, unpriced);
    expect(await read()).toMatchObject({ unpricedTokens: 123, estimated: true });
    await record({ ...about(1), type: "attempt-lost", data: { reason: "killed" } });
    await store.begin("US-1", 2, lease);
    await store.spend("US-1", 2, unpriced);
    expect((await read()).unpricedTokens).toBe(246);
    await store.spend("US-1", 2, { ...usage, inputTokens: 0, cachedTokens: 0, outputTokens: 0 });
    await record(
      ended(2, { bookedMicroUsd: 50, reportedMicroUsd: 50, estimatedMicroUsd: null, unpricedTokens: 0 }),
    );
    expect((await read()).unpricedTokens).toBe(123);
  });
});

describe("a cost alert", () => {
  it("is raised by exactly one report of the whole tree, whichever worker makes it (R107)", async () => {
    const limits = { ...defaultLimits, alertMicroUsd: 1000 };
    await store.openStory({ id: "US-2", kind: "story", title: "Dear", agent: "orchestrator", limits });
    await store.begin("US-2", 1, lease);
    const ids = ["US-2"];
    for (const description of ["One", "Two"]) ids.push((await start(store, "US-2", { description })).id);
    const warned: string[] = [];
    store.onEvent((event) => {
      if (event.type === "limit-warned") warned.push(`${event.data.code} ${event.data.message}`);
    });
    const reports = Array.from({ length: 40 }, (_, index) => ids[index % ids.length] ?? "US-2");
    await Promise.all(reports.map((id) => store.spend(id, 1, usage)));
    expect(warned).toStrictEqual(["COST_ALERT The story has cost $0.00; you asked to hear above $0.00."]);
  });
});

describe("a delegation whose provider was full", () => {
  it("keeps its turn and its retries, and names the provider it waits for until it starts again", async () => {
    await record({ ...about(1), type: "attempt-retried", data: { reason: "not JSON", kind: "repair" } });
    await store.begin("US-1", 2, lease);
    const provider = "anthropic";
    await record({
      ...about(2),
      type: "attempt-retried",
      data: { reason: "full", provider, afterMs: 30_000 },
    });
    expect((await read()).turn).toStrictEqual({
      kind: "repair",
      note: "not JSON",
      counts: { repair: 1 },
      lost: 0,
      lostMachines: 0,
      held: 1,
      heldBy: "anthropic",
      notBeforeMs: clock.wallMs() + 30_000,
    });
    await store.begin("US-1", 3, lease);
    expect((await read()).turn).toMatchObject({ kind: "repair", held: 1, heldBy: null });
  });
});
