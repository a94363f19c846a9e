import { describe, expect, it } from "vitest";
import { renderCostReport } from "../../src/cli/render/cost-report.ts";
import { buildCost } from "../../src/reports/cost.ts";
import { buildCostDocument } from "../../src/reports/cost-document.ts";
import { buildStatusDocument, buildStatus } from "../../src/reports/status.ts";
import { renderStatusReport } from "../../src/cli/render/status-report.ts";
import { paint } from "../../src/cli/terminal/paint.ts";
import { makeDelegation, makeEnded, makeStory } from "./make-delegation.ts";

const style = { ascii: true, width: undefined };

describe("a cost report", () => {
  it("says which tokens are in no sum, and how close the agents' dollars are to list prices (R102)", () => {
    const report = buildCost(makeStory(), [
      makeDelegation("US-007", {
        microUsd: 1_200_000,
        compared: { reportedMicroUsd: 1_200_000, estimatedMicroUsd: 1_000_000 },
      }),
      makeEnded("US-007-DEL-001", ["10:31", "10:32"], { inputTokens: 12_345, unpricedTokens: 12_345 }),
      makeEnded("US-007-DEL-002", ["10:31", "10:32"], {
        microUsd: 300_000,
        compared: { reportedMicroUsd: 300_000, estimatedMicroUsd: 500_000 },
      }),
    ]);
    expect(buildCostDocument(report)).toMatchObject({
      unpriced_tokens: 12_345,
      reconciliation: { reported_usd: 1.5, list_price_usd: 1.5, difference_usd: 0 },
      direct: { reconciliation: { reported_usd: 1.2, list_price_usd: 1, difference_usd: 0.2 } },
      delegations: [
        { unpriced_tokens: 12_345, reconciliation: null },
        { unpriced_tokens: 0, reconciliation: { difference_usd: -0.2 } },
      ],
    });
    const text = renderCostReport(buildCostDocument(report), style);
    expect(text).toContain("12,345 tokens have no known price and are not in the sum");
    expect(text).toContain("Agents reported $1.50; by list price it would be $1.50 (the same)");
  });

  it.each([
    [1_100_000, 1_000_000, "Agents reported $1.10; by list price it would be $1.00 (+10%)"],
    [900_000, 1_000_000, "Agents reported $0.90; by list price it would be $1.00 (-10%)"],
    [900_000, 0, "Agents reported $0.90; by list price it would be $0.00"],
  ])("gives the difference of %i and %i", (reportedMicroUsd, estimatedMicroUsd, text) => {
    const compared = { reportedMicroUsd, estimatedMicroUsd };
    const report = buildCost(makeStory(), [makeDelegation("US-007", { compared })]);
    expect(renderCostReport(buildCostDocument(report), style).split("\n")).toContain(text);
  });

  it("omits both if there is nothing to say", () => {
    const text = renderCostReport(
      buildCostDocument(buildCost(makeStory(), [makeDelegation("US-007", { microUsd: 1 })])),
      style,
    );
    expect(text).not.toMatch(/list price|no known price/);
  });
});

describe("a status report", () => {
  it("names the provider that a delegation waits for, and until when", () => {
    const turn = {
      kind: "begin",
      note: "",
      counts: {},
      lost: 0,
      lostMachines: 0,
      held: 2,
      notBeforeMs: Date.parse("2026-01-20T10:45:00Z"),
      heldBy: "anthropic",
    } as const;
    const held = makeDelegation("US-007-DEL-001", { state: "queued", turn });
    const report = buildStatus(makeStory(), [makeDelegation("US-007"), held]);
    expect(buildStatusDocument(report)).toMatchObject({
      queued: [{ waits_for_provider: "anthropic", not_before: "2026-01-20T10:45:00.000Z" }],
    });
    const text = renderStatusReport(buildStatusDocument(report), {
      ...style,
      paint: paint(false),
      nowMs: 0,
      all: true,
    });
    expect(text).toContain(
      "Work of US-007-DEL-001: waits for provider anthropic until 2026-01-20T10:45:00.000Z",
    );
    const running = buildStatus(makeStory(), [makeDelegation("US-007"), { ...held, state: "running" }]);
    expect(buildStatusDocument(running)).toMatchObject({
      working: [{ waits_for_provider: null, not_before: null }],
    });
  });
});
