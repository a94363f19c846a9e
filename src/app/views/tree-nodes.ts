import { shownState, stateWord, type StoryNode } from "../../reports/story-view.ts";
import type { LiveStory } from "./live-story.ts";
import type { TreeNode } from "./types/story.ts";

/** Every node of a run, parents before their workers, workers in the order of their numbers. */
export function buildTreeNodes(view: LiveStory): readonly TreeNode[] {
  const sums = sumBelow(view);
  return listInOrder(view).map((node) => describeNode(view, node, sums.get(node.id)));
}

/** Some nodes of it, as they are now, with all above them: their sums and shares have changed too. */
export function changedNodes(view: LiveStory, ids: Iterable<string>): readonly TreeNode[] {
  const changed = new Map<string, StoryNode>();
  for (const id of ids)
    for (let node = view.findNode(id); node !== undefined; node = view.findNode(node.parent ?? ""))
      changed.set(node.id, node);
  const sums = sumBelow(view);
  return [...changed.values()]
    .toSorted((one, other) => one.depth - other.depth || one.number - other.number)
    .map((node) => describeNode(view, node, sums.get(node.id)));
}

export function listInOrder(view: LiveStory): readonly StoryNode[] {
  const ordered: StoryNode[] = [];
  const visit = (node: StoryNode): void => {
    ordered.push(node);
    for (const id of node.workers) {
      const worker = view.findNode(id);
      if (worker !== undefined) visit(worker);
    }
  };
  visit(view.root);
  return ordered;
}

export function listRunning(view: LiveStory, max: number): readonly StoryNode[] {
  return listInOrder(view)
    .filter(({ state }) => state === "running")
    .slice(0, max);
}

/** The cost of a node with everything below it, and how many of the nodes below it have ended. */
interface Sums {
  readonly microUsd: number;
  readonly below: number;
  readonly ended: number;
}

const none: Sums = { microUsd: 0, below: 0, ended: 0 };

function sumBelow(view: LiveStory): ReadonlyMap<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const { id, parent, microUsd, state } of listInOrder(view).toReversed()) {
    const before = sums.get(id) ?? none;
    const own = { ...before, microUsd: before.microUsd + microUsd };
    sums.set(id, own);
    if (parent === null) continue;
    const above = sums.get(parent) ?? none;
    sums.set(parent, {
      microUsd: above.microUsd + own.microUsd,
      below: above.below + own.below + 1,
      ended: above.ended + own.ended + (state === "closed" ? 1 : 0),
    });
  }
  return sums;
}

function describeNode(view: LiveStory, node: StoryNode, sums: Sums = none): TreeNode {
  const { criteria, limits, mergeRefusal } = node;
  const failed = [...criteria.verdicts.values()].filter((verdict) => verdict === "failed").length;
  return {
    id: node.id,
    parent: node.parent,
    label: node.label,
    depth: node.depth,
    title: node.title,
    agent: node.agent,
    model: node.model,
    state: shownState(node),
    stateWord: stateWord(shownState(node)),
    code: node.code,
    summary: node.summary,
    activity: node.activity,
    attempt: node.attempt,
    openedAtMs: node.openedAtMs,
    startedAtMs: node.startedAtMs,
    endedAtMs: node.endedAtMs,
    percent: estimatePercent(node, sums),
    estimatedMs: view.estimatedMs(node.id),
    microUsd: node.microUsd,
    totalMicroUsd: sums.microUsd,
    limitMicroUsd: limits.microUsd,
    costSource: node.costSource,
    tokens: node.tokens,
    criteriaPassed: criteria.passed,
    criteriaFailed: failed,
    criteriaTotal: criteria.total,
    filesChanged: node.filesChanged.length,
    waitsFor: findOpenWaits(view, node),
    dependsOn: node.dependsOn,
    waitReason: node.waitReason,
    retryAtMs: node.retryAtMs,
    refused: node.refusals.length,
    questions: node.approvals.length,
    question: node.approvals[0]?.question ?? "",
    mergeRefusal,
  };
}

const ALMOST = 99;

/** R85. What is open is never at 100: its end is what makes it so. */
function estimatePercent({ state, attempt, criteria }: StoryNode, { below, ended }: Sums): number | null {
  if (state === "closed") return 100;
  if (attempt === 0) return null;
  const parts = criteria.total + below;
  return parts === 0 ? 0 : Math.min(ALMOST, Math.floor((100 * (criteria.passed + ended)) / parts));
}

/** The work it waits for that is still open; a queued delegation waits for its dependencies. */
function findOpenWaits(view: LiveStory, node: StoryNode): readonly string[] {
  const named = node.state === "queued" ? [...node.waitingFor, ...node.dependsOn] : node.waitingFor;
  return [...new Set(named)].filter((id) => {
    const other = view.findNode(id);
    return other !== undefined && other.state !== "closed";
  });
}
