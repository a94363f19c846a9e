import type { Delegation, StoreReader } from "../../journal/store.ts";
import type { Spread, SplitHistory } from "./split.ts";

const MAX_STORIES = 50;

/** How dividing work went in the newest stories of this project. */
export async function readHistory(reader: StoreReader | undefined): Promise<SplitHistory> {
  if (reader === undefined) return summarizeStories([]);
  const stories = await reader.stories(MAX_STORIES);
  return summarizeStories(await Promise.all(stories.map(({ id }) => reader.storyTree(id))));
}

/** Pure: one tree per story, its root first. */
export function summarizeStories(trees: readonly (readonly Delegation[])[]): SplitHistory {
  const divided = trees.filter((tree) => tree.length > 1);
  const workers = trees.flatMap((tree) => tree.slice(1)).filter(({ outcome }) => outcome !== null);
  const paid = workers.filter(({ microUsd }) => microUsd > 0);
  const alone = trees
    .flatMap((tree) => (tree.length === 1 ? tree : []))
    .filter(({ microUsd }) => microUsd > 0);
  return {
    stories: trees.length,
    divided: divided.length,
    fanOut: measureSpread(divided.map((tree) => tree.length - 1)),
    workers: workers.length,
    workerMicroUsd: measureSpread(paid.map(({ microUsd }) => microUsd)),
    workerMs: measureSpread(workers.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))),
    aloneMicroUsd: measureSpread(alone.map(({ microUsd }) => microUsd)),
    byDepth: countByDepth(workers),
  };
}

function countByDepth(workers: readonly Delegation[]): SplitHistory["byDepth"] {
  const depths = [...new Set(workers.map(({ depth }) => depth))].toSorted((one, other) => one - other);
  return depths.map((depth) => {
    // A cancelled delegation says nothing about its worker.
    const there = workers.filter((worker) => worker.depth === depth && worker.outcome !== "cancelled");
    const completed = there.filter(({ outcome }) => outcome === "completed").length;
    return { depth, ended: there.length, completed };
  });
}

function measureSpread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? 0;
  return { low: at(0.25), middle: at(0.5), high: at(0.75) };
}
