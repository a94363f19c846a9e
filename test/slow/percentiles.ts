export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Nearest rank; zeros when there is nothing to rank. */
export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
