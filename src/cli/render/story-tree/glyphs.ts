import type { ShownState } from "../../../app/story-view.ts";

/** The look of a state; its colour repeats what the word says. */
export type Tone = "good" | "bad" | "attention" | "plain" | "quiet";

interface Look {
  readonly mark: string;
  readonly ascii: string;
  readonly tone: Tone;
  /** When there is no room for all, the lowest stay. */
  readonly weight: number;
}

const asks = 0;
const works = 1;
const failed = 2;
const waits = 3;
const queued = 4;
const done = 5;

/** Every state has a mark, shown next to its word. */
export const looks: Readonly<Record<ShownState, Look>> = {
  "needs you": { mark: "?", ascii: "?", tone: "attention", weight: asks },
  running: { mark: "●", ascii: "*", tone: "plain", weight: works },
  stopping: { mark: "●", ascii: "*", tone: "bad", weight: works },
  returned: { mark: "◑", ascii: ">", tone: "plain", weight: works },
  checking: { mark: "◑", ascii: ">", tone: "plain", weight: works },
  verified: { mark: "◕", ascii: "=", tone: "plain", weight: works },
  merged: { mark: "◕", ascii: "=", tone: "good", weight: works },
  failed: { mark: "✖", ascii: "x", tone: "bad", weight: failed },
  timed_out: { mark: "✖", ascii: "x", tone: "bad", weight: failed },
  blocked: { mark: "?", ascii: "?", tone: "bad", weight: failed },
  partial: { mark: "◐", ascii: "-", tone: "bad", weight: failed },
  cancelled: { mark: "⊘", ascii: "o", tone: "quiet", weight: failed },
  parked: { mark: "◔", ascii: "~", tone: "plain", weight: waits },
  queued: { mark: "◌", ascii: ".", tone: "quiet", weight: queued },
  completed: { mark: "✔", ascii: "+", tone: "good", weight: done },
  ended: { mark: "◼", ascii: "#", tone: "quiet", weight: done },
};

export const refusedLook: Look = { mark: "⊘", ascii: "o", tone: "bad", weight: queued };
