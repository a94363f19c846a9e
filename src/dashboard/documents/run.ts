import type { Run, RunSummary, Timeline } from "../wire.ts";
import { shownState } from "../../reports/story-view.ts";
import type { RunView } from "../live/run-view.ts";
import { inOrder, runNodes } from "./run-node.ts";

export function runDocument(view: RunView, run: RunSummary, nowMs: number): Run {
  const { limits } = view.root;
  return {
    seq: view.lastSeq,
    nowMs,
    run,
    limits: {
      maxDepth: limits.maxDepth,
      maxDelegations: limits.maxDelegations,
      timeoutMs: limits.seconds === null ? null : limits.seconds * 1000,
      budgetMicroUsd: limits.microUsd,
      budgetTokens: limits.tokens,
    },
    nodes: runNodes(view),
  };
}

export function timelineDocument(view: RunView, nowMs: number): Timeline {
  const rows = inOrder(view).map((node) => ({
    id: node.id,
    label: node.label,
    title: node.title,
    depth: node.depth,
    state: shownState(node),
    segments: view.segments.of(node.id),
  }));
  const times = rows.flatMap(({ segments }) => segments.map(({ fromMs }) => fromMs));
  const ends = rows.flatMap(({ segments }) => segments.map(({ toMs }) => toMs ?? nowMs));
  return {
    seq: view.lastSeq,
    nowMs,
    fromMs: times.reduce((least, ms) => Math.min(least, ms), times[0] ?? nowMs),
    toMs: ends.reduce((most, ms) => Math.max(most, ms), ends[0] ?? nowMs),
    rows,
  };
}
