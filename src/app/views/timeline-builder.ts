import type { SeenEvent, StoryNode } from "../../reports/story-view.ts";
import type { TimelineSegment } from "./types/story.ts";

type Kind = TimelineSegment["kind"];

/** Builds the timeline of each node: one segment for each stretch of time of one kind in one attempt. */
export class TimelineBuilder {
  readonly #segments = new Map<string, TimelineSegment[]>();

  readSegments(id: string): readonly TimelineSegment[] {
    return this.#segments.get(id) ?? [];
  }

  /** `node` is as the event has left it. */
  addEvent(node: StoryNode, event: SeenEvent): void {
    if (node.openedAtMs === null) return;
    const segments = this.#segments.get(node.id) ?? [];
    const last = segments.at(-1);
    const isOpen = last !== undefined && last.toMs === null;
    const kind = chooseKind(node, event, last?.kind);
    if (isOpen && kind === last.kind && node.attempt === last.attempt) return;
    const atMs = Date.parse(event.at);
    if (Number.isNaN(atMs)) return;
    this.#segments.set(node.id, segments);
    if (isOpen) segments[segments.length - 1] = { ...last, toMs: atMs };
    if (kind !== undefined) segments.push({ kind, attempt: node.attempt, fromMs: atMs, toMs: null });
  }
}

const again: ReadonlySet<string> = new Set(["attempt-retried", "attempt-lost"]);

/** A question to a person outweighs everything else; undefined once it has ended. */
function chooseKind(node: StoryNode, event: SeenEvent, last: Kind | undefined): Kind | undefined {
  if (node.state === "closed") return undefined;
  if (node.approvals.length > 0) return "person";
  switch (node.state) {
    case "queued":
      if (again.has(event.type)) return "retry";
      return last === "retry" ? "retry" : "queued";
    case "running":
      return "running";
    case "parked":
      return "workers";
    case "returned":
    case "verified":
    case "merged":
      return "checking";
  }
}
