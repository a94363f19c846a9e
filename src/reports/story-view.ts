import { transitions } from "../contract/delegation-state.ts";
import type { DelegationState } from "../contract/outcome.ts";
import type { SeenEvent } from "./events/seen-event.ts";
import { readLastLine, readEventFields, type Fields } from "./events/fields.ts";
import { findOrMakeNode, type GrowingView, placeBelowParent, putNode } from "./story-view/place-node.ts";
import type { StoryNode, StoryView } from "./story-view/story-node.ts";
import { changes, type EventFacts } from "./story-view/changes.ts";

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

const nextStates: ReadonlyMap<string, { readonly to: DelegationState }> = new Map(
  Object.entries(transitions),
);

/** A new state clears what described the previous one. */
const settled = { waitingFor: [], waitReason: "", retryAtMs: null, isChecking: false } as const;
const reopened = { outcome: null, code: null, summary: "", endedAtMs: null } as const;

/** The view of a story before its first event. */
export function emptyView(story: string): StoryView {
  return withNode(
    { story, nodes: new Map(), lastSeq: 0 },
    findOrMakeNode({ story, nodes: new Map() }, story),
  );
}

/**
 * The view after one more event. An unknown event changes nothing, an event seen before is not counted again, and a
 * view that begins in the middle of a story shows what can be told from there.
 */
export function seeEvent(view: StoryView, event: SeenEvent): StoryView {
  if (event.story !== view.story || event.seq <= view.lastSeq) return view;
  const nodes = new Map(view.nodes);
  changeNodes({ story: view.story, nodes }, event);
  return { ...view, nodes, lastSeq: event.seq };
}

/** As `seeEvent`, in the nodes themselves, for a reader of very many events; returns the nodes that changed. */
export function changeNodes(view: GrowingView, event: SeenEvent): readonly StoryNode[] {
  const change = changes.get(event.type);
  const next = nextStates.get(event.type);
  if (event.story !== view.story || (change === undefined && next === undefined)) return [];
  const data = readEventFields(event.data);
  const found = findOrMakeNode(view, change?.about?.(data) || (event.delegation ?? view.story));
  const moves = next !== undefined && canChangeState(found, event.attempt, next.to);
  const node = moves && found.state === "closed" ? { ...found, ...reopened } : found;
  const facts: EventFacts = { node, data, attempt: event.attempt, atMs: parseEventTime(event.at) };
  const before = moves ? { ...node, ...settled, state: next.to } : node;
  const changed: StoryNode = change === undefined ? before : { ...before, ...change.apply(facts) };
  return putNode(view, placeByParent(view, changed, data));
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
  return withNode(view, { ...node, activity, heardAtMs: atMs, isStalled: false });
}

/** The story's own node. */
export function findRootNode(view: StoryView): StoryNode {
  return findOrMakeNode(view, view.story);
}

/** The workers of a node, in order. */
export function listWorkerNodes(view: StoryView, node: StoryNode): readonly StoryNode[] {
  return node.workers.flatMap((id) => view.nodes.get(id) ?? []);
}

function withNode(view: StoryView, node: StoryNode): StoryView {
  const nodes = new Map(view.nodes);
  putNode({ story: view.story, nodes }, node);
  return { ...view, nodes };
}

function parseEventTime(at: string): number | null {
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? null : atMs;
}

/** A closed node stays closed unless a newer attempt reopens it; its cost and its work stay even then. */
function canChangeState(node: StoryNode, attempt: number, to: DelegationState): boolean {
  return node.state !== "closed" || (to !== "closed" && attempt > node.attempt);
}

/** An event that names the parent counts more than the id, but only if the view knows that parent. */
function placeByParent(view: GrowingView, node: StoryNode, data: Fields): StoryNode {
  const parent = view.nodes.get(data.text("parent"));
  if (parent === undefined || node.parent === null || view.nodes.has(node.id)) return node;
  return placeBelowParent(parent, { ...node, number: data.amount("number") || node.number });
}
