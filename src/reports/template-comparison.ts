import type { Delegation } from "../journal/store.ts";
import { toKnownUsd, toUsdNumber } from "../base/money.ts";
import {
  compareMeans,
  compareShares,
  estimateMean,
  estimateShare,
  isClear,
  type Difference,
  type Interval,
} from "./figures/confidence.ts";
import { computeTimeSaved } from "./figures/time-saved.ts";

/** How stories went that were divided in one way. Averages cover stories that ended. */
export interface WayFigures {
  /** Null for stories that were divided without a template, or not divided at all. */
  readonly template: string | null;
  readonly isDivided: boolean;
  readonly stories: number;
  readonly ended: number;
  readonly completed: number;
  /** Completed with a check that confirms it: it proves the work, or that nothing else broke. */
  readonly proven: number;
  /** The cost of each story's whole tree, where any is known. */
  readonly costs: readonly number[];
  readonly durations: readonly number[];
  /** Workers per story. */
  readonly workers: number;
  /** Cost of the whole tree. */
  readonly microUsd: number | null;
  readonly medianMs: number | null;
  /** Compared with running the workers one after the other, 0 to 1. */
  readonly timeSaved: number | null;
  /** Workers whose work had a merge conflict. */
  readonly conflicts: number;
}

/** With fewer stories, a difference may be chance. */
export const MIN_STORIES = 5;

/** Takes one tree per story, root first. The most used way comes first in the answer. */
export function compareTemplateFigures(trees: readonly (readonly Delegation[])[]): readonly WayFigures[] {
  const groups = new Map<string, (readonly Delegation[])[]>();
  for (const tree of trees) {
    const [root] = tree;
    if (root === undefined) continue;
    const key = root.work?.template ?? (tree.length > 1 ? DIVIDED : UNDIVIDED);
    groups.set(key, [...(groups.get(key) ?? []), tree]);
  }
  return [...groups]
    .map(([key, members]) => summarizeWay(key, members))
    .toSorted((one, other) => other.stories - one.stories);
}

type Tree = readonly Delegation[];

/** Stories that were assigned by chance among the same ways. */
export interface Comparison {
  readonly ways: readonly string[];
  readonly figures: readonly WayFigures[];
}

const NO_TEMPLATE = "none";

/** One comparison for each set of ways; each has all of its ways, in the order in which they were named. */
export function compareAssigned(trees: readonly Tree[]): readonly Comparison[] {
  const groups = new Map<string, Tree[]>();
  for (const tree of trees) {
    const key = tree[0]?.work?.ways?.toSorted().join(",");
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), tree]);
  }
  return [...groups.values()].map((members) => {
    const ways = members[0]?.[0]?.work?.ways ?? [];
    const figures = ways.map((way) => {
      const own = members.filter(([root]) => (root?.work?.template ?? NO_TEMPLATE) === way);
      return summarizeWay(way === NO_TEMPLATE ? UNTEMPLATED : way, own);
    });
    return { ways, figures };
  });
}

/** Keys that cannot be names of templates. */
const DIVIDED = "+divided";
const UNDIVIDED = "+undivided";
const UNTEMPLATED = "+untemplated";

function summarizeWay(key: string, trees: readonly Tree[]): WayFigures {
  const ended = trees.filter(([root]) => root?.outcome !== null && root?.outcome !== "cancelled");
  const all = ended.flat();
  const saved = ended.flatMap((tree) => computeTimeSaved(tree) ?? []);
  return {
    template: key.startsWith("+") ? null : key,
    isDivided: key !== UNDIVIDED,
    stories: trees.length,
    ended: ended.length,
    completed: ended.filter(([root]) => root?.outcome === "completed").length,
    proven: ended.filter(([root]) => isProven(root)).length,
    costs: ended.map(sumCost).filter((cost) => cost > 0),
    durations: ended.flatMap(([root]) => root?.durationMs ?? []),
    workers: averageOrNull(trees.map((tree) => tree.length - 1)) ?? 0,
    microUsd: averageOrNull(ended.map(sumCost)),
    medianMs: findLowerMedian(ended.flatMap(([root]) => root?.durationMs ?? [])),
    timeSaved: averageOrNull(saved),
    conflicts: all.filter(({ code, turn }) => code === "MERGE_CONFLICT" || (turn.counts.conflict ?? 0) > 0)
      .length,
  };
}

function isProven(root: Delegation | undefined): boolean {
  return root?.outcome === "completed" && (root.proof === "proven" || root.proof === "no-regression");
}

function sumCost(tree: Tree): number {
  return tree.reduce((sum, { microUsd }) => sum + microUsd, 0);
}

function averageOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The lower of the two middle values for an even count, so that it is a story that happened. */
function findLowerMedian(values: readonly number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? null;
}

/** The wire form of one way. An interval holds the true value in 95 of 100 cases. */
export function buildComparisonDocument(way: WayFigures) {
  return {
    template: way.template,
    divided: way.isDivided,
    stories: way.stories,
    ended: way.ended,
    completed: way.completed,
    success_rate: way.ended === 0 ? null : way.completed / way.ended,
    proof_rate: way.ended === 0 ? null : way.proven / way.ended,
    proof_interval: estimateShare(way.proven, way.ended),
    cost_interval_usd: convertInterval(estimateMean(way.costs), toUsdNumber),
    duration_interval_ms: convertInterval(estimateMean(way.durations), Math.round),
    avg_duration_ms: averageOrNull(way.durations),
    avg_workers: way.workers,
    avg_cost_usd: toKnownUsd(Math.round(way.microUsd ?? 0)),
    median_duration_ms: way.medianMs,
    time_saved: way.timeSaved,
    conflicts: way.conflicts,
    enough_stories: way.ended >= MIN_STORIES,
  };
}

function convertInterval(interval: Interval | null, convert: (value: number) => number): Interval | null {
  // Neither a cost nor a time is below zero.
  return interval === null ? null : { low: convert(Math.max(0, interval.low)), high: convert(interval.high) };
}

/** The first way that was named is what the others are measured against. */
export function buildAssignedDocument({ ways, figures }: Comparison) {
  const [first, ...others] = figures;
  const [than = ""] = ways;
  return {
    ways: [...ways],
    stories: figures.reduce((sum, { stories }) => sum + stories, 0),
    results: figures.map(buildComparisonDocument),
    differences:
      first === undefined
        ? []
        : others.map((way, index) =>
            compareWays({ name: ways[index + 1] ?? "", way }, { name: than, way: first }),
          ),
  };
}

interface NamedWay {
  readonly name: string;
  readonly way: WayFigures;
}

function compareWays({ name, way }: NamedWay, than: NamedWay) {
  const shares = compareShares(
    { hits: way.proven, cases: way.ended },
    { hits: than.way.proven, cases: than.way.ended },
  );
  const costs = compareMeans(way.costs.map(toUsdNumber), than.way.costs.map(toUsdNumber));
  return {
    way: name,
    than: than.name,
    proof_rate: describeDifference(shares),
    cost_usd: describeDifference(costs),
    duration_ms: describeDifference(compareMeans(way.durations, than.way.durations)),
  };
}

function describeDifference(difference: Difference | null) {
  return difference === null ? null : { ...difference, is_clear: isClear(difference) };
}
