import { transitions } from "../../contract/delegation-state.ts";
import type { DelegationState } from "../../contract/outcome.ts";
import type { StoryNode, StoryView } from "./story-node.ts";
import { changes, type EventFacts } from "./changes.ts";
import { readEventFields, type Fields } from "../events/fields.ts";
import type { SeenEvent } from "../events/seen-event.ts";
import { findOrMakeNode, placeBelowParent, putNodeInView } from "./place-node.ts";

const nextStates: ReadonlyMap<string, { readonly to: DelegationState }> = new Map(
  Object.entries(transitions),
);

/** Takes the state from the table every store uses, and the rest from the entry for the event's type. */
export function applyEventToView(view: StoryView, event: SeenEvent): StoryView {
  const change = changes.get(event.type);
  const next = nextStates.get(event.type);
  if (change === undefined && next === undefined) return view;
  const data = readEventFields(event.data);
  const found = findOrMakeNode(view, change?.about?.(data) || (event.delegation ?? view.story));
  const moves = next !== undefined && canChangeState(found, event.attempt, next.to);
  const node = moves && found.state === "closed" ? { ...found, ...reopened } : found;
  const facts: EventFacts = { node, data, attempt: event.attempt, atMs: parseEventTime(event.at) };
  const changed: StoryNode = {
    ...node,
    ...(moves ? { ...settled, state: next.to } : {}),
    ...change?.apply(facts),
  };
  return putNodeInView(view, placeByParent(view, changed, data));
}

function parseEventTime(at: string): number | null {
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? null : atMs;
}

/** A new state clears what described the previous one. */
const settled = { waitingFor: [], waitReason: "", retryAtMs: null, isChecking: false } as const;

/** A closed node stays closed unless a newer attempt reopens it; its cost and its work stay even then. */
function canChangeState(node: StoryNode, attempt: number, to: DelegationState): boolean {
  return node.state !== "closed" || (to !== "closed" && attempt > node.attempt);
}

const reopened = { outcome: null, code: null, summary: "", endedAtMs: null } as const;

/** An event that names the parent counts more than the id, but only if the view knows that parent. */
function placeByParent(view: StoryView, node: StoryNode, data: Fields): StoryNode {
  const parent = view.nodes.get(data.text("parent"));
  if (parent === undefined || node.parent === null || view.nodes.has(node.id)) return node;
  return placeBelowParent(parent, { ...node, number: data.amount("number") || node.number });
}
