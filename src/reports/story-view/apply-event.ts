import { transitions } from "../../contract/delegation-state.ts";
import type { DelegationState } from "../../contract/outcome.ts";
import type { StoryNode, StoryView } from "../story-node.ts";
import { changes, type EventFacts } from "./changes.ts";
import { readFields, type Fields } from "./fields.ts";
import { findNode, placeBelow, putNode } from "./place-node.ts";

export interface AppliedEvent {
  readonly at: string;
  readonly type: string;
  readonly delegation: string | null;
  readonly attempt: number;
  readonly data: unknown;
}

const nextStates: ReadonlyMap<string, { readonly to: DelegationState }> = new Map(
  Object.entries(transitions),
);

/** State from the table all stores use, the rest from the one entry of its type. */
export function applyEvent(view: StoryView, event: AppliedEvent): StoryView {
  const change = changes.get(event.type);
  const next = nextStates.get(event.type);
  if (change === undefined && next === undefined) return view;
  const data = readFields(event.data);
  const found = findNode(view, change?.about?.(data) || (event.delegation ?? view.story));
  const moves = next !== undefined && mayMove(found, event.attempt, next.to);
  const node = moves && found.state === "closed" ? { ...found, ...reopened } : found;
  const facts: EventFacts = { node, data, attempt: event.attempt, atMs: readTime(event.at) };
  const changed: StoryNode = {
    ...node,
    ...(moves ? { ...settled, state: next.to } : {}),
    ...change?.apply(facts),
  };
  return putNode(view, place(view, changed, data));
}

function readTime(at: string): number | null {
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? null : atMs;
}

/** What a node did in its last state says nothing about the next. */
const settled = { waitingFor: [], waitReason: "", retryAtMs: null, isChecking: false } as const;

/** An end stays an end, unless a newer attempt is made of it; its cost and its work stay then, too. */
function mayMove(node: StoryNode, attempt: number, to: DelegationState): boolean {
  return node.state !== "closed" || (to !== "closed" && attempt > node.attempt);
}

const reopened = { outcome: null, code: null, summary: "", endedAtMs: null } as const;

/** An event that names the parent knows better than the id does; a parent nobody has seen could be anywhere. */
function place(view: StoryView, node: StoryNode, data: Fields): StoryNode {
  const parent = view.nodes.get(data.text("parent"));
  if (parent === undefined || node.parent === null || view.nodes.has(node.id)) return node;
  return placeBelow(parent, { ...node, number: data.amount("number") || node.number });
}
