const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Distances between ticks that people count in. */
const steps: readonly number[] = [
  SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];
const MAX_TICKS = 6;

/** Round moments since the start, few enough to be read. */
export function chooseTicks(lengthMs: number, zoom = 1): readonly number[] {
  const step = steps.find((one) => lengthMs / one <= MAX_TICKS * zoom) ?? lengthMs / (MAX_TICKS * zoom);
  const count = Math.floor(lengthMs / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step).filter(
    // The last one would be beyond the end of the axis.
    (ms) => ms === 0 || ms < lengthMs * 0.96,
  );
}
