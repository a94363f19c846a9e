import { toKnownUsd } from "../base/money.ts";
import { readShownState, describeState, type StoryNode, type StoryView } from "./story-view/story-node.ts";
import { measureElapsedMs, sumStoryTotals } from "./story-totals.ts";
import { findRootNode } from "./story-view.ts";
import { describeStartDocument } from "./story-view/story-start.ts";

/** The wire form of a view: the story and every delegation in it, parents before their workers. */
export function buildViewDocument(view: StoryView, nowMs: number): Readonly<Record<string, unknown>> {
  const totals = sumStoryTotals(view, nowMs);
  return {
    story: view.story,
    title: findRootNode(view).title,
    starts_from: describeStartDocument(findRootNode(view).start),
    total_delegations: totals.workers,
    ended: totals.done,
    refused: totals.refused,
    total_cost_usd: toKnownUsd(totals.microUsd),
    cost_source: totals.costSource,
    total_tokens: totals.tokens,
    duration_ms: totals.elapsedMs,
    delegations: [...view.nodes.values()].map((node) => nodeDocument(node, nowMs)),
  };
}

function nodeDocument(node: StoryNode, nowMs: number): Readonly<Record<string, unknown>> {
  return {
    id: node.id,
    path: node.label,
    title: node.title,
    status: describeState(readShownState(node)),
    outcome: node.outcome,
    code: node.code,
    summary: node.summary,
    agent: node.agent,
    attempt: node.attempt,
    files_changed: node.filesChanged,
    criteria_passed: node.criteria.passed,
    criteria_total: node.criteria.total,
    cost_usd: toKnownUsd(node.microUsd),
    tokens: node.tokens,
    duration_ms: measureElapsedMs(node, nowMs),
    refused: node.refusals.map(({ description, codes }) => ({ description, codes })),
  };
}
