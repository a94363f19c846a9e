import { expect, it } from "vitest";
import { emptyTotals } from "../../src/reports/empty-totals.ts";
import { buildStats } from "../../src/reports/stats.ts";
import { complete, FakeClock, fillSeedStory, openStory, start } from "./fill-store.ts";
import { temporaryStore } from "./temporary-store.ts";

it("counts delegations, open ones and the depth seen, under the published keys (R105)", async () => {
  const clock = new FakeClock();
  const store = temporaryStore(clock);
  await fillSeedStory(store, clock);
  await openStory(store, "US-008", "More");
  for (let number = 1; number <= 11; number += 1) {
    const { id } = await start(store, "US-008", { description: `part ${number}` });
    if (number > 1) await complete(store, id);
  }
  expect(buildStats(await store.totals(), 2)).toStrictEqual({
    total_delegations: 15,
    max_depth_seen: 2,
    active_delegations: 1,
    max_allowed_depth: 2,
  });
});

it("is all zeros, with the allowed depth, if nothing was delegated (R105)", async () => {
  const store = temporaryStore();
  const empty = { total_delegations: 0, max_depth_seen: 0, active_delegations: 0, max_allowed_depth: 3 };
  expect(buildStats(await store.totals(), 3)).toStrictEqual(empty);
  expect(buildStats(emptyTotals, 3)).toStrictEqual(empty);
});
