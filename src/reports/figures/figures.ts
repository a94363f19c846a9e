/** The middle value; the mean of the two middle ones for an even count. Null without values. */
export function computeMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  const upper = sorted[Math.floor(sorted.length / 2)];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

/** The smallest value that 95 of 100 do not exceed. Null without values. */
export function computeP95(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
}

/** A rounded quotient; null instead of a division by zero. */
export function divideRounded(sum: number, count: number, places: number): number | null {
  return count === 0 ? null : roundToPlaces(sum / count, places);
}

export function roundToPlaces(value: number, places: number): number {
  return Number(value.toFixed(places));
}
