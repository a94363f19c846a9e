import {
  lessSure,
  findRootNode,
  shownState,
  type CostSource,
  type StoryNode,
  type StoryView,
} from "./story-view.ts";

export interface StoryTotals {
  /** Workers that have ended, and all workers; the story itself is not counted. */
  readonly done: number;
  readonly workers: number;
  readonly refused: number;
  readonly microUsd: number;
  readonly budgetMicroUsd: number | null;
  readonly tokens: number;
  readonly costSource: CostSource;
  readonly elapsedMs: number;
  readonly timeoutMs: number | null;
  /** The depth of the deepest worker, and the limit. */
  readonly depth: number;
  readonly maxDepth: number | null;
  readonly needsYou: readonly StoryNode[];
}

/** A whole story in figures for one line. */
export function sumStoryTotals(view: StoryView, nowMs: number): StoryTotals {
  const root = findRootNode(view);
  const nodes = [...view.nodes.values()];
  const workers = nodes.filter(({ depth }) => depth > 0);
  return {
    done: workers.filter(({ state }) => state === "closed").length,
    workers: workers.length,
    refused: sumOverNodes(nodes, ({ refusals }) => refusals.length),
    microUsd: sumOverNodes(nodes, ({ microUsd }) => microUsd),
    budgetMicroUsd: root.limits.microUsd,
    tokens: sumOverNodes(nodes, ({ tokens }) => tokens),
    costSource: nodes.map(({ costSource }) => costSource).reduce(lessSure, "reported"),
    elapsedMs: root.openedAtMs === null ? 0 : Math.max(0, (root.endedAtMs ?? nowMs) - root.openedAtMs),
    timeoutMs: root.limits.seconds === null ? null : root.limits.seconds * 1000,
    depth: Math.max(0, ...workers.map(({ depth }) => depth)),
    maxDepth: root.limits.maxDepth,
    needsYou: nodes.filter((node) => shownState(node) === "needs you"),
  };
}

function sumOverNodes(nodes: readonly StoryNode[], amount: (node: StoryNode) => number): number {
  return nodes.reduce((total, node) => total + amount(node), 0);
}

/** How long it has been working, or worked until its end; null before it began. */
export function measureElapsedMs(node: StoryNode, nowMs: number): number | null {
  return node.startedAtMs === null ? null : Math.max(0, (node.endedAtMs ?? nowMs) - node.startedAtMs);
}

/** A worker that wrote nothing for this long is shown as silent, before it is warned. */
export const MIN_SILENT_MS = 300_000;

/** How long a running worker has written nothing; null while that is not worth a word. */
export function measureSilenceMs(node: StoryNode, nowMs: number): number | null {
  if (shownState(node) !== "running" || node.heardAtMs === null) return null;
  const silentMs = Math.max(0, nowMs - node.heardAtMs);
  return node.isStalled || silentMs >= MIN_SILENT_MS ? silentMs : null;
}

/** The use of one limit; `of` is null without a limit. */
export interface LimitUse {
  readonly name: "cost" | "tokens" | "time" | "workers" | "depth";
  readonly used: number;
  readonly of: number | null;
}

/** How much of each limit a node has used: micro-dollars, tokens, milliseconds, workers, levels. */
export function listLimitUse(view: StoryView, node: StoryNode, nowMs: number): readonly LimitUse[] {
  const story = findRootNode(view).limits;
  const { seconds } = node.limits;
  return [
    { name: "cost", used: node.microUsd, of: node.limits.microUsd },
    { name: "tokens", used: node.tokens, of: node.limits.tokens },
    { name: "time", used: measureElapsedMs(node, nowMs) ?? 0, of: seconds === null ? null : seconds * 1000 },
    { name: "workers", used: node.workers.length, of: story.fanOut[node.depth] ?? null },
    { name: "depth", used: node.depth, of: story.maxDepth },
  ];
}
