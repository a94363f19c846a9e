import { expect, it } from "vitest";
import type { Delegation } from "../../src/journal/store.ts";
import { compareTemplateFigures, buildComparisonDocument } from "../../src/reports/template-comparison.ts";
import { makeDelegation, makeEnded } from "./make-delegation.ts";

function story(id: string, template: string | undefined, fields: Partial<Delegation>): Delegation {
  const work = { adapter: "command", command: [], context: "", criteria: [], dependsOn: [] };
  return {
    ...makeEnded(id, ["10:00", "10:20"]),
    work: template === undefined ? work : { ...work, template },
    ...fields,
  };
}

it("compares stories by the way they were divided (R185)", () => {
  const trees = [
    [
      story("US-1", "feature", { outcome: "completed", microUsd: 1_000_000, durationMs: 60_000 }),
      { ...makeEnded("US-1-DEL-001", ["10:00", "10:10"]), microUsd: 500_000 },
      { ...makeEnded("US-1-DEL-002", ["10:00", "10:10"]), microUsd: 500_000 },
    ],
    [story("US-2", "feature", { outcome: "partial", microUsd: 4_000_000, durationMs: 120_000 })],
    [story("US-3", undefined, { outcome: "completed", microUsd: 3_000_000, durationMs: 300_000 })],
    [makeDelegation("US-4"), makeDelegation("US-4-DEL-001")],
  ];
  const ways = compareTemplateFigures(trees).map(buildComparisonDocument);
  expect(ways).toEqual([
    expect.objectContaining({
      template: "feature",
      stories: 2,
      ended: 2,
      completed: 1,
      success_rate: 0.5,
      avg_workers: 1,
      avg_cost_usd: 3,
      median_duration_ms: 60_000,
      time_saved: 0.5,
      enough_stories: false,
    }),
    expect.objectContaining({ template: null, divided: false, stories: 1, avg_cost_usd: 3 }),
    expect.objectContaining({ template: null, divided: true, stories: 1, ended: 0, success_rate: null }),
  ]);
});
