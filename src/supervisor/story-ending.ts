import type { SettledRun } from "../orchestrator/pipeline.ts";

/** How a story ended, as clients are told. */
export interface StoryEnding {
  readonly story: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly summary: string;
  readonly filesChanged: number;
}

export function describeRun(run: SettledRun): StoryEnding {
  const { outcome, code = null, summary } = run.settlement;
  return { story: run.delegation.story, outcome, code, summary, filesChanged: run.work.filesChanged.length };
}
