import type { StoreReader } from "../../journal/store.ts";
import { buildPerformance } from "../../reports/performance.ts";
import type { Figures, Project } from "./types/common.ts";

const MAX_COUNTED = 1000;

/** Counts the figures in the dashboard's header. */
export async function countProject(
  reader: StoreReader | undefined,
): Promise<Pick<Project, "microUsd" | "needsYou" | "seq" | "working">> {
  if (reader === undefined) return { seq: 0, working: 0, needsYou: 0, microUsd: 0 };
  const totals = await reader.totals();
  return {
    seq: (await reader.head()).seq,
    working: totals.running + (await countRunningStories(reader)),
    needsYou: (await reader.openApprovals(MAX_COUNTED)).length,
    microUsd: totals.microUsd + (await sumStoryUse(reader)),
  };
}

/** A story's own agent works, too. */
async function countRunningStories(reader: StoreReader): Promise<number> {
  const roots = await Promise.all((await reader.openStories(MAX_COUNTED)).map((id) => reader.delegation(id)));
  return roots.filter((root) => root?.state === "running").length;
}

/** The totals count delegated work only; what the stories used themselves is added. */
async function sumStoryUse(reader: StoreReader): Promise<number> {
  let microUsd = 0;
  for (const { id } of await reader.stories(MAX_COUNTED))
    microUsd += (await reader.delegation(id))?.microUsd ?? 0;
  return microUsd;
}

/** Performance over all stories of the project. */
export async function readFigures(reader: StoreReader): Promise<Figures> {
  const [totals, completed] = [await reader.totals(), await reader.completedSums()];
  const figures = buildPerformance({ totals, completed, cycleCheckMs: null });
  return {
    seq: (await reader.head()).seq,
    delegations: figures.total_delegations,
    completed: figures.completed,
    failed: figures.failed,
    running: figures.running,
    waiting: figures.waiting,
    refused: totals.refused,
    successRate: figures.success_rate,
    medianMs: figures.median_duration_ms,
    p95Ms: figures.p95_duration_ms,
    microUsd: totals.microUsd,
    parallelEfficiency: figures.parallel_efficiency,
    maxDepthSeen: totals.maxDepthSeen,
  };
}
