import { describe, expect, it } from "vitest";
import { renderCostReport } from "../../../src/cli/render/cost-report.ts";
import { renderDuration } from "../../../src/base/duration-text.ts";
import { renderInbox } from "../../../src/cli/render/inbox.ts";
import { paint } from "../../../src/cli/terminal/paint.ts";
import { renderStatusReport } from "../../../src/cli/render/status-report.ts";
import type { Delegation } from "../../../src/journal/store.ts";
import { buildCostDocument } from "../../../src/reports/cost-document.ts";
import { buildCost } from "../../../src/reports/cost.ts";
import { buildStatus, buildStatusDocument } from "../../../src/reports/status.ts";
import { makeDelegation, makeEnded, makeStory } from "../../reports/make-delegation.ts";

const span = ["10:31", "10:45"] as const;
const wide = { ascii: false, width: undefined } as const;

function renderCost(delegations: readonly Delegation[]): string {
  return renderCostReport(buildCostDocument(buildCost(makeStory(), delegations)), wide);
}

describe("renderCostReport", () => {
  it("marks estimated sums and says what the mark means", () => {
    const text = renderCost([
      makeDelegation("US-007", { microUsd: 100_000 }),
      makeEnded("US-007-DEL-001", span, { microUsd: 200_000, estimated: true }),
    ]);
    expect(text).toContain("│    $0.10 │");
    expect(text).toContain("│   ~$0.20 │");
    expect(text).toContain("│   ~$0.30 │");
    expect(text).toContain("Delegation overhead: ~$0.20 (67% of total cost)");
    expect(text).toMatch(/^~ includes usage that was estimated or simulated/m);
  });

  it("names unknown amounts, and raises the alert (R107)", () => {
    const text = renderCost([makeDelegation("US-007", { microUsd: 12_000_000 })]);
    expect(text).toContain("Time saved vs sequential: not known yet");
    expect(text).toContain("Cost alert: the total is above $10.00");
    expect(renderCost([makeDelegation("US-007")])).not.toContain("Cost alert");
  });

  it("omits the percentage if nothing was spent", () => {
    expect(renderCost([makeDelegation("US-007")])).toContain("Delegation overhead: $0.00\n");
  });

  it("lets no title break the table", () => {
    const text = renderCost([
      makeDelegation("US-007"),
      makeEnded("US-007-DEL-001", span, { description: "a\nb\u001b[2Jc\u202e" }),
    ]);
    expect(text).toContain("│ └─ US-007-DEL-001 (a bc) │");
  });
});

const style = {
  ...wide,
  paint: paint(false),
  nowMs: Date.parse("2026-01-20T10:32:05Z"),
  all: false,
} as const;

describe("renderStatusReport", () => {
  it("shows work that needs you first, then running, queued and done work", () => {
    const report = buildStatus(makeStory(), [
      makeDelegation("US-007", { microUsd: 2_500_000 }),
      makeEnded("US-007-DEL-001", span, { description: "JWT service", microUsd: 450_000 }),
      makeDelegation("US-007-DEL-002", { description: "Login routes" }),
      makeDelegation("US-007-DEL-003", { description: "Middleware", state: "queued", startedAt: null }),
      makeEnded("US-007-DEL-004", span, {
        description: "Migration",
        outcome: "blocked",
        code: "TOOL_UNAVAILABLE",
        summary: "Needs a\nlogin.",
      }),
    ]);
    expect(renderStatusReport(buildStatusDocument(report), style)).toBe(
      `US-007: Add authentication · running · 2 of 4 done · $2.95

Needs you (1)
  ? US-007-DEL-004  blocked TOOL_UNAVAILABLE 14m00s  Migration: Needs a login.

Working (1)
  ● US-007-DEL-002  running 2m05s  Login routes

Queued (1)
  ◌ US-007-DEL-003  pending  Middleware

Done (1)
  ✔ US-007-DEL-001  completed 14m00s $0.45  JWT service`,
    );
  });

  it("shows of a failed check what was found, not every line of it, and writes timed out in two words", () => {
    const report = buildStatus(makeStory(), [
      makeDelegation("US-007"),
      makeEnded("US-007-DEL-001", span, {
        outcome: "partial",
        code: "CRITERION_FAILED",
        summary: "`npm test` ended with exit code 1.\n  Failure:\n    not ok 1\nIts work is kept.",
      }),
      makeEnded("US-007-DEL-002", span, { outcome: "timed_out", code: "TIMEOUT", summary: "Late." }),
    ]);
    const shown = renderStatusReport(buildStatusDocument(report), style);
    expect(shown).toMatch(/: `npm test` ended with exit code 1\.$/m);
    expect(shown).toContain("timed out TIMEOUT");
  });

  it("names the machine that queued work waits for", () => {
    const tree = [makeDelegation("US-007"), makeDelegation("US-007-DEL-001", { state: "queued" })];
    const report = buildStatusDocument(buildStatus(makeStory(), tree));
    const missing = "It waits: no machine serves the pool gpu; start ambit worker --pool gpu on one";
    const queued = report.queued.map((entry) => ({ ...entry, waits_for_machine: missing }));
    expect(renderStatusReport({ ...report, queued }, style)).toContain(missing);
    const unserved = [
      {
        story: "US-007",
        delegation: "US-007-DEL-001",
        description: "Paint",
        text: missing,
        told_at: new Date(style.nowMs - 60_000).toISOString(),
      },
    ];
    expect(renderInbox({ questions: [], blocked: [], unserved, news: [] }, style)).toBe(
      `US-007-DEL-001  waits for a machine  told 1m00s ago\n  task    Paint\n  needs   ${missing}`,
    );
  });

  it("names the machine of a cluster that work runs on", () => {
    const tree = [makeDelegation("US-007"), makeDelegation("US-007-DEL-001", { description: "Paint" })];
    const report = buildStatusDocument(buildStatus(makeStory(), tree));
    const working = report.working.map((entry) => ({ ...entry, machine: "north" }));
    expect(renderStatusReport({ ...report, working }, style)).toContain("running on north 2m05s  Paint");
  });

  it("stays within the terminal and within ASCII when asked", () => {
    const report = buildStatus(makeStory({ title: "x".repeat(200) }), [
      makeDelegation("US-007"),
      makeDelegation("US-007-DEL-001", { description: "y".repeat(200) }),
    ]);
    const lines = renderStatusReport(buildStatusDocument(report), { ...style, ascii: true, width: 60 }).split(
      "\n",
    );
    expect(lines.join("")).toMatch(/^[ -~]+$/);
    expect(Math.max(...lines.map((line) => line.length))).toBe(60);
  });

  it("shows the newest of many done delegations, and all of them when asked", () => {
    const ids = Array.from({ length: 99 }, (_, index) => `US-007-DEL-${String(index + 1).padStart(3, "0")}`);
    const report = buildStatus(makeStory(), [
      makeDelegation("US-007"),
      ...ids.map((id) => makeEnded(id, span)),
    ]);
    const short = renderStatusReport(buildStatusDocument(report), style);
    expect(short).toContain("US-007-DEL-099");
    expect(short).not.toContain("US-007-DEL-001");
    expect(short).toContain("  and 89 more: --all shows them");
    const all = renderStatusReport(buildStatusDocument(report), { ...style, all: true });
    for (const id of ids) expect(all).toContain(id);
  });
});

describe("renderDuration", () => {
  it.each([
    [-5, "0ms"],
    [850, "850ms"],
    [41_000, "41s"],
    [277_000, "4m37s"],
    [7_500_000, "2h05m"],
  ])("writes %d ms as %s", (durationMs, expected) => {
    expect(renderDuration(durationMs)).toBe(expected);
  });
});
