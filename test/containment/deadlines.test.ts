import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type DeadlineAction,
  type DeadlineState,
  lookAtDeadlines,
  startDeadlines,
} from "../../src/containment/watch/deadlines.ts";
import { createSleepClock } from "../../src/containment/watch/sleep-clock.ts";

const DAY_MS = 86_400_000;
const limits = { timeoutMs: 100_000, softLimit: 0.9, idleWarnMs: 50_000, idleStopMs: 80_000 };

interface Step {
  readonly afterMs: number;
  readonly sleptMs?: number;
  readonly hasGrown?: boolean;
}

function walk(steps: readonly Step[], bounds = limits): readonly (DeadlineAction & { atMs: number })[] {
  let state: DeadlineState = startDeadlines(0);
  let nowMs = 0;
  let sleptMs = 0;
  const seen: (DeadlineAction & { atMs: number })[] = [];
  for (const step of steps) {
    nowMs += step.afterMs;
    sleptMs += step.sleptMs ?? 0;
    const next = lookAtDeadlines(state, { nowMs, sleptMs, hasGrown: step.hasGrown ?? false }, bounds);
    state = next.state;
    for (const action of next.actions) seen.push({ ...action, atMs: nowMs });
  }
  return seen;
}

const steady = (count: number, hasGrown: boolean): readonly Step[] =>
  Array.from({ length: count }, () => ({ afterMs: 10_000, hasGrown }));

it("asks to wind down once at the soft limit and stops once at the deadline", () => {
  expect(walk(steady(30, true))).toStrictEqual([
    { kind: "wind-down", atMs: 90_000 },
    { kind: "stop", reason: "timeout", atMs: 100_000 },
  ]);
});

it("warns about silence, then stops the tree", () => {
  expect(walk(steady(30, false))).toStrictEqual([
    { kind: "warn", idleMs: 50_000, atMs: 50_000 },
    { kind: "stop", reason: "stalled", atMs: 80_000 },
  ]);
});

it("keeps a deadline beyond the 24.8 days that a timer allows", () => {
  const month = { timeoutMs: 30 * DAY_MS, softLimit: 1, idleWarnMs: 90 * DAY_MS, idleStopMs: 90 * DAY_MS };
  const looks = Array.from({ length: (31 * DAY_MS) / 20_000 }, () => ({ afterMs: 20_000 }));
  const [first, second] = walk(looks, month);
  expect([first, second]).toStrictEqual([
    { kind: "wind-down", atMs: 30 * DAY_MS },
    { kind: "stop", reason: "timeout", atMs: 30 * DAY_MS },
  ]);
});

it("moves both deadlines by a gap on the monotonic clock", () => {
  const steps = [...steady(4, false), { afterMs: 200_000 }, ...steady(10, false)];
  expect(walk(steps)).toStrictEqual([
    { kind: "gap", gapMs: 200_000, extendedMs: 200_000, atMs: 240_000 },
    { kind: "warn", idleMs: 50_000, atMs: 250_000 },
    { kind: "stop", reason: "stalled", atMs: 280_000 },
  ]);
});

it("reports sleep that the monotonic clock did not count, and moves no deadline", () => {
  const steps = [
    ...steady(4, true),
    { afterMs: 10_000, sleptMs: 3_600_000, hasGrown: true },
    ...steady(10, true),
  ];
  expect(walk(steps)).toStrictEqual([
    { kind: "gap", gapMs: 3_610_000, extendedMs: 0, atMs: 50_000 },
    { kind: "wind-down", atMs: 90_000 },
    { kind: "stop", reason: "timeout", atMs: 100_000 },
  ]);
});

const anyStep = fc.record({
  afterMs: fc.integer({ min: 0, max: 90_000 }),
  sleptMs: fc.integer({ min: 0, max: 40_000 }),
  hasGrown: fc.boolean(),
});

it("stops once when the given time was observed, and never for time that was not observed", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 60 }), (steps) => {
      const seen = walk(steps);
      const stops = seen.filter(({ kind }) => kind === "stop");
      expect(stops.length).toBeLessThanOrEqual(1);
      const attendedMs = steps.reduce((sum, { afterMs }) => sum + (afterMs > 30_000 ? 0 : afterMs), 0);
      const mustStop = attendedMs >= limits.timeoutMs;
      if (mustStop) expect(stops).toHaveLength(1);
      const lookedMs = stops.length === 1 ? attendedBefore(steps, stops[0]?.atMs ?? 0) : 0;
      if (stops[0]?.kind === "stop" && stops[0].reason === "timeout")
        expect(lookedMs).toBeGreaterThanOrEqual(limits.timeoutMs);
    }),
  );
});

function attendedBefore(steps: readonly Step[], atMs: number): number {
  let nowMs = 0;
  let attendedMs = 0;
  for (const { afterMs } of steps) {
    nowMs += afterMs;
    if (nowMs > atMs) break;
    attendedMs += afterMs > 30_000 ? 0 : afterMs;
  }
  return attendedMs;
}

it("measures sleep with the clock that continues while the machine sleeps", () => {
  let nowMs = 1000;
  let uptimeMs: number | undefined = 500_000;
  const clock = { wallMs: () => 0, monotonicMs: () => nowMs };
  const slept = createSleepClock(clock, () => uptimeMs);
  nowMs += 6000;
  uptimeMs += 6000;
  expect(slept()).toBe(0);
  nowMs += 6000;
  uptimeMs += 6000 + 90_000;
  expect(slept()).toBe(90_000);
  nowMs += 6000;
  uptimeMs = undefined;
  expect(slept()).toBe(90_000);
});
