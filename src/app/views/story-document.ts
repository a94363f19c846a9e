import type { StoryDocument, StorySummary, Timeline } from "./types/story.ts";
import { shownState } from "../../reports/story-view.ts";
import type { LiveStory } from "./live-story.ts";
import { listInOrder, buildTreeNodes } from "./tree-nodes.ts";

export function buildStoryDocument(view: LiveStory, run: StorySummary, nowMs: number): StoryDocument {
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
    nodes: buildTreeNodes(view),
  };
}

export function buildTimeline(view: LiveStory, nowMs: number): Timeline {
  const rows = listInOrder(view).map((node) => ({
    id: node.id,
    label: node.label,
    title: node.title,
    depth: node.depth,
    state: shownState(node),
    segments: view.timeline.readSegments(node.id),
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
