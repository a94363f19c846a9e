import * as z from "zod";
import type { StoryNode, StoryView } from "./story-node.ts";
import { applyEvent } from "./story-view/apply-event.ts";
import { findNode, putNode } from "./story-view/place-node.ts";
import { lastLine } from "./story-view/fields.ts";

/** An event as it comes from outside: of any type, known to this version or not. */
export interface SeenEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly story: string;
  readonly delegation: string | null;
  readonly attempt: number;
  readonly data: unknown;
}

const seenEventSchema = z.object({
  seq: z.number(),
  at: z.string(),
  type: z.string(),
  story: z.string(),
  delegation: z.string().nullable().default(null),
  attempt: z.number().default(0),
  data: z.unknown().optional(),
});

/** Undefined for what is no event at all. */
export function readSeenEvent(value: unknown): SeenEvent | undefined {
  const parsed = seenEventSchema.safeParse(value);
  return parsed.success ? { ...parsed.data, data: parsed.data.data } : undefined;
}

/** The view of a story of which nothing has been seen yet. */
export function emptyView(story: string): StoryView {
  const nothing: StoryView = { story, nodes: new Map(), lastSeq: 0 };
  return putNode(nothing, findNode(nothing, story));
}

/**
 * The view after one more event. What it does not know changes nothing, events seen before are not counted again, and
 * a view that begins in the middle of a story shows what can be told from there.
 */
export function seeEvent(view: StoryView, event: SeenEvent): StoryView {
  if (event.story !== view.story || event.seq <= view.lastSeq) return view;
  return { ...applyEvent(view, event), lastSeq: event.seq };
}

/** The view after a worker has written something. */
export function seeOutput(view: StoryView, delegation: string, text: string): StoryView {
  const activity = lastLine(text);
  const node = view.nodes.get(delegation);
  if (activity === "" || node === undefined || node.state === "closed") return view;
  return putNode(view, { ...node, activity });
}

/** The story's own node. */
export function rootOf(view: StoryView): StoryNode {
  return findNode(view, view.story);
}

/** The workers of a node, in order. */
export function workersOf(view: StoryView, node: StoryNode): readonly StoryNode[] {
  return node.workers.flatMap((id) => view.nodes.get(id) ?? []);
}
