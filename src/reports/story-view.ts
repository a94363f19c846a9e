import type { SeenEvent } from "./events/seen-event.ts";
import { readLastLine } from "./events/fields.ts";
import { applyEventToView } from "./story-view/apply-event.ts";
import { findOrMakeNode, putNodeInView } from "./story-view/place-node.ts";
import type { StoryNode, StoryView } from "./story-view/story-node.ts";

export { readSeenEvent, type SeenEvent } from "./events/seen-event.ts";
export {
  costSources,
  chooseLessCertain as lessSure,
  nameForCommands as nameOf,
  readShownState as shownState,
  describeState as stateWord,
  type Approval,
  type CostSource,
  type Refusal,
  type ShownState,
  type StoryNode,
  type StoryView,
} from "./story-view/story-node.ts";

/** The view of a story before its first event. */
export function emptyView(story: string): StoryView {
  const nothing: StoryView = { story, nodes: new Map(), lastSeq: 0 };
  return putNodeInView(nothing, findOrMakeNode(nothing, story));
}

/**
 * The view after one more event. An unknown event changes nothing, an event seen before is not counted again, and a
 * view that begins in the middle of a story shows what can be told from there.
 */
export function seeEvent(view: StoryView, event: SeenEvent): StoryView {
  if (event.story !== view.story || event.seq <= view.lastSeq) return view;
  return { ...applyEventToView(view, event), lastSeq: event.seq };
}

/** The view after a worker has written something. */
export function seeOutput(
  view: StoryView,
  delegation: string,
  { text, atMs }: { readonly text: string; readonly atMs: number },
): StoryView {
  const node = view.nodes.get(delegation);
  if (node === undefined || node.state === "closed") return view;
  const activity = readLastLine(text) || node.activity;
  return putNodeInView(view, { ...node, activity, heardAtMs: atMs, isStalled: false });
}

/** The story's own node. */
export function findRootNode(view: StoryView): StoryNode {
  return findOrMakeNode(view, view.story);
}

/** The workers of a node, in order. */
export function listWorkerNodes(view: StoryView, node: StoryNode): readonly StoryNode[] {
  return node.workers.flatMap((id) => view.nodes.get(id) ?? []);
}
