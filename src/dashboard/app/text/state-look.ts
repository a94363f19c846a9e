import type { CostSource, NodeState, TimelineSegment } from "../../../app/view-types.ts";

/** How a state looks; a colour never says anything that the word does not. */
export type Tone = "good" | "bad" | "attention" | "busy" | "quiet";

interface Look {
  readonly glyph: string;
  readonly tone: Tone;
  readonly isMoving?: boolean;
}

/** The marks of the terminal's tree. */
export const looks: Readonly<Record<NodeState, Look>> = {
  "needs you": { glyph: "?", tone: "attention" },
  running: { glyph: "●", tone: "busy", isMoving: true },
  stopping: { glyph: "●", tone: "bad", isMoving: true },
  returned: { glyph: "◑", tone: "busy" },
  checking: { glyph: "◑", tone: "busy", isMoving: true },
  verified: { glyph: "◕", tone: "busy" },
  merged: { glyph: "◕", tone: "good" },
  failed: { glyph: "✖", tone: "bad" },
  timed_out: { glyph: "✖", tone: "bad" },
  blocked: { glyph: "?", tone: "bad" },
  partial: { glyph: "◐", tone: "attention" },
  cancelled: { glyph: "⊘", tone: "quiet" },
  parked: { glyph: "◔", tone: "busy" },
  queued: { glyph: "◌", tone: "quiet" },
  completed: { glyph: "✔", tone: "good" },
  ended: { glyph: "◼", tone: "quiet" },
};

/** The look of work in one of these states while no supervisor drives it. */
export const interrupted: Look = { glyph: "◌", tone: "attention" };
export const silent: Look = { glyph: "●", tone: "attention" };
export const drivenStates: ReadonlySet<NodeState> = new Set([
  "running",
  "stopping",
  "returned",
  "checking",
  "verified",
  "merged",
]);

const ends: ReadonlySet<NodeState> = new Set([
  "completed",
  "partial",
  "failed",
  "blocked",
  "cancelled",
  "timed_out",
  "ended",
]);

export function hasEnded(state: NodeState): boolean {
  return ends.has(state);
}

/** Empty for a figure that the agent reported: only less certain figures are marked. */
export const sourceMarks: Readonly<Record<CostSource, string>> = {
  reported: "",
  estimated: "≈",
  unpriced: "+?",
  simulated: "sim",
};

export const sourceWords: Readonly<Record<CostSource, string>> = {
  reported: "reported by the agent",
  estimated: "estimated from a price list",
  unpriced: "no price known for some of it",
  simulated: "simulated, no money was spent",
};

/** For narrow columns. */
export const sourceShort: Readonly<Record<CostSource, string>> = {
  reported: "reported",
  estimated: "estimated",
  unpriced: "no price",
  simulated: "simulated",
};

export const segmentWords: Readonly<Record<TimelineSegment["kind"], string>> = {
  queued: "queued",
  running: "at work",
  workers: "waits for workers",
  person: "waits for you",
  retry: "waits before a retry",
  checking: "being checked",
};
