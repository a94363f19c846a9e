import type { Delegation, StoreReader } from "../../journal/store.ts";
import type { Spread, SplitHistory } from "./split.ts";

const MOST_STORIES = 50;

/** What the newest stories say about dividing work here. */
export async function readHistory(reader: StoreReader | undefined): Promise<SplitHistory> {
  if (reader === undefined) return summarize([]);
  const stories = await reader.stories(MOST_STORIES);
  return summarize(await Promise.all(stories.map(({ id }) => reader.storyTree(id))));
}

/** Pure: one tree per story, its root first. */
export function summarize(trees: readonly (readonly Delegation[])[]): SplitHistory {
  const divided = trees.filter((tree) => tree.length > 1);
  const workers = trees.flatMap((tree) => tree.slice(1)).filter(({ outcome }) => outcome !== null);
  const paid = workers.filter(({ microUsd }) => microUsd > 0);
  const alone = trees
    .flatMap((tree) => (tree.length === 1 ? tree : []))
    .filter(({ microUsd }) => microUsd > 0);
  return {
    stories: trees.length,
    divided: divided.length,
    fanOut: spreadOf(divided.map((tree) => tree.length - 1)),
    workers: workers.length,
    workerMicroUsd: spreadOf(paid.map(({ microUsd }) => microUsd)),
    workerMs: spreadOf(workers.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))),
    aloneMicroUsd: spreadOf(alone.map(({ microUsd }) => microUsd)),
    byDepth: depthsOf(workers),
  };
}

function depthsOf(workers: readonly Delegation[]): SplitHistory["byDepth"] {
  const depths = [...new Set(workers.map(({ depth }) => depth))].toSorted((one, other) => one - other);
  return depths.map((depth) => {
    // What somebody cancelled says nothing about the worker.
    const there = workers.filter((worker) => worker.depth === depth && worker.outcome !== "cancelled");
    const completed = there.filter(({ outcome }) => outcome === "completed").length;
    return { depth, ended: there.length, completed };
  });
}

function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? 0;
  return { low: at(0.25), middle: at(0.5), high: at(0.75) };
}
