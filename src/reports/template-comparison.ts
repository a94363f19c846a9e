import type { Delegation } from "../journal/store.ts";
import { toKnownUsd } from "../base/money.ts";
import { computeTimeSaved } from "./figures/time-saved.ts";

/** How stories went that were divided in one way. Averages cover stories that ended. */
export interface WayFigures {
  /** Null for stories that were divided without a template, or not divided at all. */
  readonly template: string | null;
  readonly isDivided: boolean;
  readonly stories: number;
  readonly ended: number;
  readonly completed: number;
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

/** Keys that cannot be names of templates. */
const DIVIDED = "+divided";
const UNDIVIDED = "+undivided";

function summarizeWay(key: string, trees: readonly (readonly Delegation[])[]): WayFigures {
  const ended = trees.filter(([root]) => root?.outcome !== null && root?.outcome !== "cancelled");
  const all = ended.flat();
  const saved = ended.flatMap((tree) => computeTimeSaved(tree) ?? []);
  return {
    template: key === DIVIDED || key === UNDIVIDED ? null : key,
    isDivided: key !== UNDIVIDED,
    stories: trees.length,
    ended: ended.length,
    completed: ended.filter(([root]) => root?.outcome === "completed").length,
    workers: averageOrNull(trees.map((tree) => tree.length - 1)) ?? 0,
    microUsd: averageOrNull(ended.map((tree) => tree.reduce((sum, { microUsd }) => sum + microUsd, 0))),
    medianMs: findLowerMedian(ended.flatMap(([root]) => root?.durationMs ?? [])),
    timeSaved: averageOrNull(saved),
    conflicts: all.filter(({ code, turn }) => code === "MERGE_CONFLICT" || (turn.counts.conflict ?? 0) > 0)
      .length,
  };
}

function averageOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The lower of the two middle values for an even count, so that it is a story that happened. */
function findLowerMedian(values: readonly number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? null;
}

/** The wire form of one way. */
export interface WayDocument {
  readonly [key: string]: unknown;
  readonly template: string | null;
  readonly divided: boolean;
  readonly stories: number;
  readonly ended: number;
  readonly completed: number;
  readonly success_rate: number | null;
  readonly avg_workers: number;
  readonly avg_cost_usd: number | null;
  readonly median_duration_ms: number | null;
  readonly time_saved: number | null;
  readonly conflicts: number;
  readonly enough_stories: boolean;
}

export function buildComparisonDocument(way: WayFigures): WayDocument {
  return {
    template: way.template,
    divided: way.isDivided,
    stories: way.stories,
    ended: way.ended,
    completed: way.completed,
    success_rate: way.ended === 0 ? null : way.completed / way.ended,
    avg_workers: way.workers,
    avg_cost_usd: toKnownUsd(Math.round(way.microUsd ?? 0)),
    median_duration_ms: way.medianMs,
    time_saved: way.timeSaved,
    conflicts: way.conflicts,
    enough_stories: way.ended >= MIN_STORIES,
  };
}
