import type { DelegationStatus } from "../journal/delegation-status.ts";
import type { StoryNode, StoryView } from "./story-node.ts";
import { rootOf, workersOf } from "./story-view.ts";
import type { DrawnNode } from "./tree.ts";

/** The tree of a story that is watched, in the form pictures are made of. */
export function viewTree(view: StoryView): DrawnNode {
  return drawnNode(view, rootOf(view));
}

function drawnNode(view: StoryView, node: StoryNode): DrawnNode {
  const { id, title, depth } = node;
  return {
    id,
    title,
    depth,
    status: statusOf(node),
    workers: workersOf(view, node).map((worker) => drawnNode(view, worker)),
  };
}

function statusOf({ state, outcome }: StoryNode): DelegationStatus {
  if (outcome !== null) return outcome;
  return state === "queued" ? "pending" : "running";
}
