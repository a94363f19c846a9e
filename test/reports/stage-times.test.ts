import { describe, expect, it } from "vitest";
import {
  buildStageTimes,
  MAX_OVERHEAD_MS,
  MAX_WORKTREE_MS,
  type StageTime,
} from "../../src/reports/stage-times.ts";
import type { SeenEvent } from "../../src/reports/story-view.ts";

const START = Date.parse("2026-01-20T10:00:00Z");

/** Events of one delegation by the millisecond they were written at. */
function tape(
  delegation: string,
  ...events: readonly (readonly [number, string, object?, number?])[]
): SeenEvent[] {
  return events.map(([atMs, type, data = {}, attempt = 1], index) => ({
    seq: index + 1,
    at: new Date(START + atMs).toISOString(),
    type,
    story: "S",
    delegation,
    attempt,
    data,
  }));
}

function timeOf(times: readonly StageTime[], stage: string): StageTime | undefined {
  return times.find((time) => time.stage === stage);
}

const whole = [
  [0, "delegation-admitted"],
  [40, "attempt-started"],
  [140, "workspace-created", { durationMs: 90 }],
  [1200, "attempt-ended", { durationMs: 1000 }],
  [1230, "work-kept"],
  [1250, "delegation-returned"],
  [1900, "criterion-checked"],
  [1950, "delegation-verified"],
  [1960, "delegation-merged"],
  [1965, "delegation-closed"],
] as const;

describe("stage times", () => {
  it("split one delegation into its stages, and count the runtime's own time as overhead", () => {
    const times = buildStageTimes(tape("S-DEL-001", ...whole));
    const halves = Object.fromEntries(times.map(({ stage, p50_ms: half }) => [stage, half]));
    expect(halves).toStrictEqual({
      queue: 40,
      prepare: 160,
      work: 1000,
      validate: 50,
      prove: 700,
      merge: 10,
      settle: 5,
      overhead: 225,
      worktree: 90,
    });
  });

  it("include the budgets and how many stayed within them", () => {
    expect([MAX_OVERHEAD_MS, MAX_WORKTREE_MS]).toStrictEqual([200, 150]);
    const quick = whole.map(
      ([atMs, type, ...more]) => [type === "attempt-started" ? 100 : atMs, type, ...more] as const,
    );
    const times = buildStageTimes([...tape("S-DEL-001", ...whole), ...tape("S-DEL-002", ...quick)]);
    expect(timeOf(times, "overhead")).toStrictEqual({
      stage: "overhead",
      count: 2,
      p50_ms: 195,
      p95_ms: 225,
      budget_ms: 200,
      within_budget: 0.5,
    });
    expect(timeOf(times, "worktree")).toMatchObject({ count: 2, budget_ms: 150, within_budget: 1 });
  });

  it("count every attempt, and the time between two of them as waiting", () => {
    const times = buildStageTimes(
      tape(
        "S-DEL-001",
        [0, "attempt-started"],
        [150, "attempt-ended", { durationMs: 100 }],
        [170, "attempt-retried"],
        [470, "attempt-started", {}, 2],
        [600, "attempt-ended", { durationMs: 110 }, 2],
        [610, "delegation-returned", {}, 2],
        [615, "delegation-verified", {}, 2],
        [618, "delegation-closed", {}, 2],
      ),
    );
    expect(timeOf(times, "prepare")).toMatchObject({ count: 2, p50_ms: 35, p95_ms: 50 });
    expect(timeOf(times, "queue")).toMatchObject({ count: 1, p50_ms: 300 });
    expect(timeOf(times, "overhead")).toMatchObject({ count: 1, p50_ms: 50 + 20 + 20 + 10 + 3 });
  });

  it("leave out stages that were seen only in part, and the story's own manager", () => {
    const cut = whole.slice(4);
    const times = buildStageTimes([
      ...tape("S-DEL-001", ...cut),
      ...tape("S", ...whole),
      ...tape("S-DEL-002", [0, "x"]),
    ]);
    expect(timeOf(times, "overhead")).toMatchObject({ count: 0, p50_ms: null, within_budget: null });
    expect(timeOf(times, "work")).toMatchObject({ count: 0 });
    expect(timeOf(times, "prove")).toMatchObject({ count: 1 });
    expect(buildStageTimes([]).every(({ count }) => count === 0)).toBe(true);
  });

  it("are 0 if the clock jumps back, also with a duration that is not a number", () => {
    const times = buildStageTimes(
      tape(
        "S-DEL-001",
        [500, "attempt-started"],
        [100, "attempt-ended", { durationMs: "long" }],
        [0, "delegation-returned"],
      ),
    );
    expect(timeOf(times, "prepare")).toMatchObject({ count: 1, p50_ms: 0 });
    expect(timeOf(times, "validate")).toMatchObject({ count: 1, p50_ms: 0 });
  });
});
