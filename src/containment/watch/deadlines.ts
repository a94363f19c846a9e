import type { ContainmentLimits } from "../launcher/contained-process.ts";

/** All times are on the monotonic clock, in milliseconds: wall time may jump, a deadline may not. */
export interface DeadlineState {
  readonly startedMs: number;
  readonly lastGrowthMs: number;
  readonly lastLookMs: number;
  /** How long the machine has slept so far, by a clock that continues during sleep. */
  readonly sleptMs: number;
  readonly hasWarned: boolean;
  readonly hasAskedToWindDown: boolean;
  readonly isStopping: boolean;
}

export interface Look {
  readonly nowMs: number;
  readonly sleptMs: number;
  readonly hasGrown: boolean;
}

export type DeadlineAction =
  | { readonly kind: "gap"; readonly gapMs: number; readonly extendedMs: number }
  | { readonly kind: "warn"; readonly idleMs: number }
  | { readonly kind: "wind-down" }
  | { readonly kind: "stop"; readonly reason: "timeout" | "stalled" };

export interface DeadlineStep {
  readonly state: DeadlineState;
  readonly actions: readonly DeadlineAction[];
}

type TimeLimits = Pick<ContainmentLimits, "timeoutMs" | "softLimit" | "idleWarnMs" | "idleStopMs">;

/** We check several times a second; a pause this long means that we or the machine did not run. */
const GAP_MS = 30_000;

export function startDeadlines(nowMs: number): DeadlineState {
  return {
    startedMs: nowMs,
    lastGrowthMs: nowMs,
    lastLookMs: nowMs,
    sleptMs: 0,
    hasWarned: false,
    hasAskedToWindDown: false,
    isStopping: false,
  };
}

/** Checks what is due now and returns what to remember. Frequent checks replace timers, which end at 24.8 days. */
export function lookAtDeadlines(before: DeadlineState, look: Look, limits: TimeLimits): DeadlineStep {
  const gap = findTimeGap(before, look);
  const shifted = shiftDeadlines(before, look, gap?.extendedMs ?? 0);
  const actions: DeadlineAction[] = gap === undefined ? [] : [gap];
  if (shifted.isStopping) return { state: shifted, actions };

  const idleMs = look.nowMs - shifted.lastGrowthMs;
  const spentMs = look.nowMs - shifted.startedMs;
  const warns = !shifted.hasWarned && idleMs >= limits.idleWarnMs;
  const windsDown = !shifted.hasAskedToWindDown && spentMs >= limits.timeoutMs * limits.softLimit;
  const stop = spentMs >= limits.timeoutMs ? "timeout" : idleMs >= limits.idleStopMs ? "stalled" : undefined;
  if (warns) actions.push({ kind: "warn", idleMs });
  if (windsDown) actions.push({ kind: "wind-down" });
  if (stop !== undefined) actions.push({ kind: "stop", reason: stop });
  const state = {
    ...shifted,
    hasWarned: shifted.hasWarned || warns,
    hasAskedToWindDown: shifted.hasAskedToWindDown || windsDown,
    isStopping: stop !== undefined,
  };
  return { state, actions };
}

/** Time that the monotonic clock did not count needs no extension, because the deadlines slept as well. */
function findTimeGap(
  before: DeadlineState,
  look: Look,
): { readonly kind: "gap"; readonly gapMs: number; readonly extendedMs: number } | undefined {
  const awayMs = look.nowMs - before.lastLookMs;
  const asleepMs = Math.max(0, look.sleptMs - before.sleptMs);
  const gapMs = awayMs + asleepMs;
  if (gapMs <= GAP_MS) return undefined;
  return { kind: "gap", gapMs, extendedMs: awayMs > GAP_MS ? awayMs : 0 };
}

function shiftDeadlines(before: DeadlineState, look: Look, extendedMs: number): DeadlineState {
  return {
    ...before,
    startedMs: before.startedMs + extendedMs,
    lastGrowthMs: look.hasGrown ? look.nowMs : before.lastGrowthMs + extendedMs,
    lastLookMs: look.nowMs,
    sleptMs: Math.max(before.sleptMs, look.sleptMs),
    hasWarned: before.hasWarned && !look.hasGrown,
  };
}
