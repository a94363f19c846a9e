import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/journal/store.ts";
import { buildCost, type CostReport } from "../../src/reports/cost.ts";
import { renderCostCsv } from "../../src/cli/render/cost-csv.ts";
import { buildCostDocument } from "../../src/reports/cost-document.ts";
import { complete, FakeClock, fillSeedStory, openStory, spend, start } from "./fill-store.ts";
import { temporaryStore } from "./temporary-store.ts";
import { makeDelegation, makeEnded, makeStory } from "./make-delegation.ts";

let store: Store;
let clock: FakeClock;

beforeEach(() => {
  clock = new FakeClock();
  store = temporaryStore(clock);
});

async function costOf(id: string): Promise<CostReport> {
  const story = await store.story(id);
  if (story === undefined) throw new Error(`no story ${id}`);
  return buildCost(story, await store.storyTree(id));
}

describe("buildCost", () => {
  it("gives a story's own cost, each worker's and the total to the cent: $3.55 (R102)", async () => {
    await openStory(store, "US-007", "Add authentication");
    await spend(store, "US-007", { in: 0, out: 0, usd: 2.5 });
    for (const [description, usd] of [
      ["JWT service", 0.45],
      ["Login routes", 0.38],
      ["Middleware", 0.22],
    ] as const) {
      const { id } = await start(store, "US-007", { description });
      await spend(store, id, { in: 0, out: 0, usd });
      await complete(store, id);
    }
    expect(buildCostDocument(await costOf("US-007"))).toMatchObject({
      story: "US-007",
      title: "Add authentication",
      direct_cost_usd: 2.5,
      delegations: [
        { id: "US-007-DEL-001", description: "JWT service", cost_usd: 0.45 },
        { id: "US-007-DEL-002", description: "Login routes", cost_usd: 0.38 },
        { id: "US-007-DEL-003", description: "Middleware", cost_usd: 0.22 },
      ],
      total_cost_usd: 3.55,
    });
  });

  it("adds up tokens and dollars of the whole tree: 60,000 in, 17,600 out, $3.70 (R103, R104)", async () => {
    await fillSeedStory(store, clock);
    expect(buildCostDocument(await costOf("US-007"))).toMatchObject({
      total_tokens_in: 60_000,
      total_tokens_out: 17_600,
      total_cost_usd: 3.7,
      depth_distribution: [
        { depth: 0, tasks: 1, cost_usd: 2.5 },
        { depth: 1, tasks: 3, cost_usd: 1.05 },
        { depth: 2, tasks: 1, cost_usd: 0.15 },
      ],
      overhead_usd: 1.2,
      overhead_percent: 32,
      time_saved_percent: 65,
      estimated: false,
    });
  });

  it("attributes the cost of a worker's own workers to the worker and to the story, once (R104)", async () => {
    await fillSeedStory(store, clock);
    const { rows } = await costOf("US-007");
    const withWorkers = rows.map((row) => [row.id, row.microUsd, row.withWorkersMicroUsd]);
    expect(withWorkers).toStrictEqual([
      ["US-007", 2_500_000, 3_700_000],
      ["US-007-DEL-001", 450_000, 600_000],
      ["US-007-DEL-002", 380_000, 380_000],
      ["US-007-DEL-003", 220_000, 220_000],
      ["US-007-DEL-001-DEL-001", 150_000, 150_000],
    ]);
  });

  it("sums exactly, without floating point errors", () => {
    const root = makeDelegation("US-1");
    const cents = fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { maxLength: 50 });
    fc.assert(
      fc.property(cents, (amounts) => {
        const workers = amounts.map((microUsd, index) =>
          makeDelegation(`US-1-DEL-${String(index + 1).padStart(3, "0")}`, { microUsd }),
        );
        const report = buildCost(makeStory({ id: "US-1" }), [root, ...workers]);
        const expected = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
        expect(BigInt(report.total.microUsd)).toBe(expected);
        expect(report.rows[0]?.withWorkersMicroUsd).toBe(report.total.microUsd);
      }),
    );
  });

  it("counts cache reads as input tokens", () => {
    const root = makeDelegation("US-1", { inputTokens: 10, cachedTokens: 90, outputTokens: 5 });
    expect(buildCost(makeStory(), [root]).total).toMatchObject({ tokensIn: 100, tokensOut: 5 });
  });

  it("marks every sum that includes estimated or simulated usage", async () => {
    await openStory(store, "US-008", "Estimated");
    const reported = await start(store, "US-008", { description: "reported" });
    await spend(store, reported.id, { in: 1, out: 1, usd: 0.1 });
    const simulated = await start(store, "US-008", { description: "simulated" });
    await spend(store, simulated.id, { in: 1, out: 1, usd: 0.1, source: "simulated" });
    const report = await costOf("US-008");
    expect(report.rows.map(({ isEstimated }) => isEstimated)).toStrictEqual([false, false, true]);
    expect(
      [report.direct, report.delegated, report.total].map(({ isEstimated }) => isEstimated),
    ).toStrictEqual([false, true, true]);
  });

  it("has no overhead share and no time saved before anything was spent or ended", async () => {
    await openStory(store, "US-009", "Fresh");
    expect(buildCostDocument(await costOf("US-009"))).toMatchObject({
      total_cost_usd: null,
      overhead_percent: null,
      time_saved_percent: null,
    });
  });

  it("has null for delegations that reported no cost, and 0 where nothing was delegated", () => {
    const root = makeDelegation("US-7", { microUsd: 5 });
    const worker = makeDelegation("US-7-DEL-001", { parent: "US-7", depth: 1 });
    const sums = ([...tree]: Parameters<typeof buildCost>[1]) => {
      const { delegated_cost_usd: delegated, overhead_usd: overhead } = buildCostDocument(
        buildCost(makeStory(), tree),
      );
      return [delegated, overhead];
    };
    expect(sums([root])).toEqual([0, 0]);
    expect(sums([root, worker])).toEqual([null, null]);
  });

  it("raises the cost alert above the threshold of ten dollars, not at it (R107)", () => {
    const costing = (microUsd: number) =>
      buildCostDocument(buildCost(makeStory(), [makeDelegation("US-007", { microUsd })]));
    expect(costing(10_000_000)).toMatchObject({ cost_alert: false, cost_alert_usd: 10 });
    expect(costing(10_000_001)).toMatchObject({ cost_alert: true });
  });
});

describe("renderCostCsv", () => {
  it("has one line per delegation with exact dollars", async () => {
    await fillSeedStory(store, clock);
    const lines = renderCostCsv(buildCostDocument(await costOf("US-007"))).split("\n");
    expect(lines[0]).toBe(
      "delegation,parent,depth,description,agent,status,tokens_in,tokens_out,cost_usd,estimated",
    );
    expect(lines[2]).toBe(
      "US-007-DEL-001,US-007,1,JWT service,implementer,completed,12500,3200,0.450000,false",
    );
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toBe("");
  });

  it.each([
    ['say "hi", friend', '"say ""hi"", friend"'],
    ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
    ["+1", "'+1"],
    ["@sum", "'@sum"],
    ["-2+3", "'-2+3"],
    ["\u001b[31mred\nline", "red line"],
  ])("keeps the description %j in one harmless cell", (description, cell) => {
    const rows = [makeDelegation("US-1"), makeEnded("US-1-DEL-001", ["10:00", "10:01"], { description })];
    const line = renderCostCsv(buildCostDocument(buildCost(makeStory(), rows))).split("\n")[2];
    expect(line).toBe(`US-1-DEL-001,US-1,1,${cell},,completed,0,0,,false`);
  });
});
