import type { Action } from "../action.ts";

/** `GET /api/inbox`: oldest first. */
export interface Inbox {
  readonly seq: number;
  readonly entries: readonly InboxEntry[];
  /** Stories that ended because only a person can help, until they are continued. */
  readonly blocked: readonly BlockedStory[];
  /** Work that no machine of the cluster can begin. */
  readonly unserved: readonly UnservedEntry[];
}

export interface UnservedEntry {
  readonly id: string;
  readonly run: string;
  readonly label: string;
  readonly title: string;
  /** Which machine is missing, and the command that makes one. */
  readonly text: string;
  readonly toldAtMs: number | null;
}

export interface BlockedStory {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** The missing things that its worker named. */
  readonly needs: readonly string[];
  readonly blockedAtMs: number | null;
  readonly can: readonly ActionKind[];
}

export interface InboxEntry {
  /** The approval's id. */
  readonly id: string;
  readonly run: string;
  readonly runTitle: string;
  readonly delegation: string;
  readonly label: string;
  readonly title: string;
  readonly agent: string;
  readonly kind: "cost" | "criterion" | "scope" | "sensitive-paths" | "clarification";
  readonly question: string;
  readonly details: readonly string[];
  readonly askedAtMs: number | null;
  /** When its worker ends without an answer. */
  readonly expiresAtMs: number | null;
  /** Open work that waits for it: its managers, and what depends on it. */
  readonly blocks: readonly BlockedWork[];
  readonly can: readonly ActionKind[];
}

export interface BlockedWork {
  readonly id: string;
  readonly label: string;
  readonly title: string;
}

export type ActionKind = Action["kind"];

export interface ActionResult {
  readonly kind: ActionKind;
  /** Describes the event in one sentence. */
  readonly message: string;
  /** The new run of `resume`, `retry`, `unblock`, `start-story` and `run-task`. */
  readonly run: string | null;
}
