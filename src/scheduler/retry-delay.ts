export interface RetryQuestion {
  /** The attempt that has just failed; the first is 1. */
  readonly attempt: number;
  readonly baseMs: number;
  readonly multiplier: number;
  readonly maxMs: number;
  /** Gives 0 up to 1, for spreading attempts that failed together. */
  readonly random: () => number;
}

/** The wait before the next attempt: it grows each time up to the maximum, and is between half and all of that. */
export function computeRetryDelayMs({ attempt, baseMs, multiplier, maxMs, random }: RetryQuestion): number {
  const grown = baseMs * multiplier ** Math.max(0, attempt - 1);
  const wholeMs = Math.max(0, Math.min(maxMs, Number.isNaN(grown) ? maxMs : grown));
  return Math.round(wholeMs / 2 + (wholeMs / 2) * random());
}
