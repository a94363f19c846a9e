import { describe, expect, it } from "vitest";
import { renderFiguresCsv } from "../../src/cli/render/csv.ts";
import { groupPerformance } from "../../src/reports/performance-groups.ts";
import type { Delegation } from "../../src/journal/store.ts";
import { makeDelegation } from "./make-delegation.ts";

const work = { adapter: "claude", command: [], context: "", criteria: [], dependsOn: [] };

function ended(id: string, durationMs: number, more: Partial<Delegation>): Delegation {
  return makeDelegation(id, { state: "closed", outcome: "completed", durationMs, ...more });
}

const delegations: readonly Delegation[] = [
  makeDelegation("S", { work: { ...work, template: "split-by-file" } }),
  ended("S-DEL-001", 100, {
    agent: "tester",
    microUsd: 450_000,
    inputTokens: 10,
    cachedTokens: 5,
    outputTokens: 3,
  }),
  ended("S-DEL-002", 300, { agent: "tester", outcome: "failed", attempt: 3, estimated: true }),
  ended("S-DEL-003", 900, { agent: "tester", outcome: "cancelled" }),
  makeDelegation("S-DEL-004", { agent: "tester", attempt: 0, state: "queued" }),
  ended("S-DEL-005", 50, {
    agent: "writer",
    work: { ...work, model: "m-1" },
    admittedAt: "2026-02-01T00:00:00.000Z",
  }),
  ended("S-DEL-006", 60, { agent: null, outcome: "timed_out" }),
];

describe("performance by group", () => {
  it("gives success rate and duration per worker, without cancelled work (R192)", () => {
    const groups = groupPerformance(delegations, "agent");
    expect(groups.map(({ group }) => group)).toStrictEqual(["", "tester", "writer"]);
    expect(groups[1]).toStrictEqual({
      group: "tester",
      total_delegations: 4,
      open: 1,
      completed: 1,
      partial: 0,
      failed: 1,
      blocked: 0,
      cancelled: 1,
      timed_out: 0,
      finished: 2,
      success_rate: 0.5,
      median_duration_ms: 300,
      p95_duration_ms: 900,
      avg_attempts: 1.667,
      tokens_in: 15,
      tokens_out: 3,
      total_cost_usd: 0.45,
      estimated: true,
    });
    expect(groups[0]).toMatchObject({ finished: 1, success_rate: 0, timed_out: 1 });
  });

  it("groups by model, by day of admission and by the template of the story", () => {
    const names = (key: "model" | "day" | "template") =>
      groupPerformance(delegations, key).map(({ group, total_delegations: total }) => [group, total]);
    expect(names("model")).toStrictEqual([
      ["", 5],
      ["m-1", 1],
    ]);
    expect(names("template")).toStrictEqual([["split-by-file", 6]]);
    expect(names("day")).toContainEqual(["2026-02-01", 1]);
  });

  it("is empty for a story without workers", () => {
    expect(groupPerformance([makeDelegation("S")], "agent")).toStrictEqual([]);
  });

  it("becomes a table whose cells a spreadsheet does not evaluate", () => {
    const hostile = [
      ended("S-DEL-001", 1, { agent: '=cmd|"x",1' }),
      ended("S-DEL-002", 1, { agent: "\uFF1Dsum" }),
    ];
    const lines = renderFiguresCsv(groupPerformance(hostile, "agent")).split("\n");
    expect(lines[0]).toMatch(/^group,total_delegations,open,completed,/);
    expect(lines[1]).toMatch(/^"'=cmd\|""x"",1",1,0,1,/);
    expect(lines[2]).toMatch(/^'\uFF1Dsum,1,/);
    expect(renderFiguresCsv([])).toBe("\n");
  });
});
