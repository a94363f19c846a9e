/** The lower and the upper end of a range that holds the true value in 95 of 100 cases. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const NORMAL_95 = 1.959964;

/** Two-sided 95 % values of Student's distribution for 1 to 30 degrees of freedom. */
const STUDENT_95: readonly number[] = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** Wilson's interval of a share, which is right for few cases and near 0 and 1 too; null without cases. */
export function estimateShare(hits: number, cases: number): Interval | null {
  if (cases === 0) return null;
  const share = hits / cases;
  const z2 = NORMAL_95 ** 2;
  const middle = (share + z2 / (2 * cases)) / (1 + z2 / cases);
  const half =
    (NORMAL_95 / (1 + z2 / cases)) * Math.sqrt((share * (1 - share)) / cases + z2 / (4 * cases ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The interval of a mean; null with fewer than two values. */
export function estimateMean(values: readonly number[]): Interval | null {
  if (values.length < 2) return null;
  const { mean, error2 } = summarize(values);
  const half = findStudent(values.length - 1) * Math.sqrt(error2);
  return { low: mean - half, high: mean + half };
}

export interface Difference {
  readonly value: number;
  readonly interval: Interval | null;
}

/** One mean less another, with Welch's interval: the two may vary differently. Null without values on one side. */
export function compareMeans(one: readonly number[], other: readonly number[]): Difference | null {
  if (one.length === 0 || other.length === 0) return null;
  const left = summarize(one);
  const right = summarize(other);
  const value = left.mean - right.mean;
  if (one.length < 2 || other.length < 2) return { value, interval: null };
  const error2 = left.error2 + right.error2;
  const spread = left.error2 ** 2 / (one.length - 1) + right.error2 ** 2 / (other.length - 1);
  const half = findStudent(spread === 0 ? Infinity : error2 ** 2 / spread) * Math.sqrt(error2);
  return { value, interval: { low: value - half, high: value + half } };
}

export interface Share {
  readonly hits: number;
  readonly cases: number;
}

/** One share less another, with Newcombe's interval made of Wilson's. Null without cases on one side. */
export function compareShares(one: Share, other: Share): Difference | null {
  const left = estimateShare(one.hits, one.cases);
  const right = estimateShare(other.hits, other.cases);
  if (left === null || right === null) return null;
  const [first, second] = [one.hits / one.cases, other.hits / other.cases];
  const value = first - second;
  const below = Math.hypot(first - left.low, right.high - second);
  const above = Math.hypot(left.high - first, second - right.low);
  return { value, interval: { low: value - below, high: value + above } };
}

/** Whether the interval leaves no doubt about the sign. */
export function isClear({ interval }: Difference): boolean {
  return interval !== null && (interval.low > 0 || interval.high < 0);
}

function summarize(values: readonly number[]): { readonly mean: number; readonly error2: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error2: values.length < 2 ? 0 : squares / (values.length - 1) / values.length };
}

function findStudent(freedom: number): number {
  return STUDENT_95[Math.max(1, Math.floor(freedom)) - 1] ?? NORMAL_95;
}
