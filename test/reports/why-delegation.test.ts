import { describe, expect, it } from "vitest";
import { journalEventSchema, type JournalEvent } from "../../src/contract/journal-event.ts";
import type { Store } from "../../src/journal/store.ts";
import { explainDelegation } from "../../src/reports/why-delegation.ts";
import { complete, fillSeedStory, FakeClock } from "./fill-store.ts";
import { temporaryStore } from "./temporary-store.ts";

async function why(store: Store, id: string) {
  const page = await store.eventsAfter(0, 1000, { delegation: id });
  const events: JournalEvent[] = page.events.map(({ body }) => journalEventSchema.parse(JSON.parse(body)));
  const delegation = await store.delegation(id);
  if (delegation === undefined) throw new Error(id);
  return explainDelegation(delegation, { events, tree: await store.storyTree(delegation.story) });
}

describe("the explanation of a delegation", () => {
  it("names its manager, the guards it passed and its cost, alone and with its workers (R16, R104)", async () => {
    const clock = new FakeClock();
    const store = temporaryStore(clock);
    await fillSeedStory(store, clock);
    expect(await why(store, "US-007-DEL-001")).toStrictEqual({
      route: {
        agent: "implementer",
        adapter: null,
        model: null,
        asked_by: "US-007",
        reasons: ["attempt 1 of US-007 asked for it; implementer does it"],
      },
      guards: {
        passed: ["no_cycle", "depth_ok", "count_ok", "context_ok", "cost_ok", "description_safe"],
        warnings: [],
      },
      spent: {
        cost_usd: 0.45,
        with_workers_usd: 0.6,
        tokens_in: 12_500,
        tokens_out: 3200,
        estimated: false,
        attempts: [{ attempt: 1, duration_ms: null, cost_usd: 0.45, ended: null, machine: null }],
        stage_ms: { queue: 0, prove: 0, merge: 0, settle: 0 },
      },
    });
  });

  it("names a story's agent, and says that a worker without a named agent uses its manager's adapter", async () => {
    const clock = new FakeClock();
    const store = temporaryStore(clock);
    await fillSeedStory(store, clock);
    await complete(store, "US-007");
    const story = await why(store, "US-007");
    expect(story.route).toMatchObject({ agent: "orchestrator", asked_by: null, reasons: [] });
    expect(story.spent.with_workers_usd).toBe(3.7);
    const unnamed = await why(store, "US-007-DEL-002");
    expect(unnamed.route.reasons).toStrictEqual([
      "attempt 1 of US-007 asked for it; no agent was named, so it uses its manager's adapter",
    ]);
  });
});
