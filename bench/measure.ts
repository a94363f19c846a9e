/** Small statistics for benches: variants run interleaved in every round, and only ratios of one round are compared. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [lower, upper] = [sorted[middle - 1] ?? sorted[middle] ?? 0, sorted[middle] ?? 0];
  return sorted.length % 2 === 0 ? (lower + upper) / 2 : upper;
}

export type Variants = Readonly<Record<string, () => number | Promise<number>>>;

/** Runs every variant once per round, in random order; each returns its own milliseconds. */
export async function interleave(rounds: number, variants: Variants): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map<string, number[]>(Object.keys(variants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of shuffle(Object.entries(variants))) times.get(name)?.push(await run());
  }
  return times;
}

/** Median over rounds of `variant` divided by `baseline` in the same round. */
export function ratio(variant: readonly number[], baseline: readonly number[]): number {
  return median(variant.map((time, round) => time / (baseline[round] ?? Number.NaN)));
}

export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export interface Result {
  readonly what: string;
  readonly value: string;
  /** What was asked for, and whether it was met; undefined for plain figures. */
  readonly goal?: string;
  readonly met?: boolean;
}

/** JSON for machines, a Markdown table for people; returns the exit code. */
export function printResults(name: string, results: readonly Result[]): number {
  console.log(JSON.stringify({ bench: name, node: process.version, results }, null, 1));
  console.log(`\n| ${name} | measured | goal | met |\n|---|---|---|---|`);
  for (const { what, value, goal = "", met } of results) {
    console.log(`| ${what} | ${value} | ${goal} | ${met === undefined ? "" : met ? "yes" : "NO"} |`);
  }
  return results.some((result) => result.met === false) ? 1 : 0;
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, rank: Math.random() }));
  return keyed.sort((left, right) => left.rank - right.rank).map(({ item }) => item);
}
