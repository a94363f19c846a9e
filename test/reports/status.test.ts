import { describe, expect, it } from "vitest";
import type { Delegation } from "../../src/journal/store.ts";
import { buildStatus, buildStatusDocument } from "../../src/reports/status.ts";
import { makeDelegation, makeEnded, makeStory } from "./make-delegation.ts";

const span = ["10:31", "10:45"] as const;

function groupsOf(delegations: readonly Delegation[]): Readonly<Record<string, readonly string[]>> {
  const { groups } = buildStatus(makeStory(), delegations);
  return Object.fromEntries(
    Object.entries(groups).map(([name, members]) => [name, members.map(({ id }) => id)]),
  );
}

describe("buildStatus", () => {
  it("groups a story's delegations by what they wait for", () => {
    const groups = groupsOf([
      makeDelegation("US-007"),
      makeEnded("US-007-DEL-001", span),
      makeEnded("US-007-DEL-002", span, { outcome: "blocked" }),
      makeDelegation("US-007-DEL-003", { state: "parked" }),
      makeDelegation("US-007-DEL-004", { state: "queued" }),
      makeEnded("US-007-DEL-005", span, { outcome: "failed" }),
    ]);
    expect(groups).toStrictEqual({
      needsYou: ["US-007-DEL-002"],
      working: ["US-007-DEL-003"],
      queued: ["US-007-DEL-004"],
      done: ["US-007-DEL-001", "US-007-DEL-005"],
    });
  });

  it("asks about a story that ended unfinished, and no longer about its blocked workers", () => {
    const groups = groupsOf([
      makeEnded("US-007", span, { outcome: "partial" }),
      makeEnded("US-007-DEL-001", span, { outcome: "blocked" }),
    ]);
    expect(groups).toMatchObject({ needsYou: ["US-007"], done: ["US-007-DEL-001"] });
  });

  it.each(["completed", "cancelled"] as const)("asks nothing about a story that ended as %s", (outcome) => {
    expect(groupsOf([makeEnded("US-007", span, { outcome })])).toMatchObject({ needsYou: [], done: [] });
  });

  it("lists finished work in the order in which it ended", () => {
    const groups = groupsOf([
      makeDelegation("US-007"),
      makeEnded("US-007-DEL-001", ["10:00", "10:50"]),
      makeEnded("US-007-DEL-002", ["10:00", "10:40"]),
    ]);
    expect(groups["done"]).toStrictEqual(["US-007-DEL-002", "US-007-DEL-001"]);
  });

  it("counts workers, those that ended, and the cost of the whole tree (R104)", () => {
    const report = buildStatus(makeStory(), [
      makeDelegation("US-007", { microUsd: 2_500_000 }),
      makeEnded("US-007-DEL-001", span, { microUsd: 450_000, estimated: true }),
      makeDelegation("US-007-DEL-002", { microUsd: 50_000 }),
    ]);
    expect(buildStatusDocument(report)).toMatchObject({
      story: "US-007",
      status: "running",
      total_delegations: 2,
      ended: 1,
      total_cost_usd: 3,
      estimated: true,
      working: [{ id: "US-007-DEL-002", status: "running", state: "running", cost_usd: 0.05 }],
      done: [{ id: "US-007-DEL-001", status: "completed", duration_ms: 840_000 }],
    });
  });
});
