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

/** `POST /api/actions`. */
export type Action =
  | { readonly kind: "approve"; readonly approval: string; readonly reason?: string }
  | { readonly kind: "reject"; readonly approval: string; readonly reason: string }
  | { readonly kind: "reply"; readonly approval: string; readonly text: string }
  /** Gives a story that ended blocked what it needs; a new run continues it. */
  | { readonly kind: "unblock"; readonly id: string; readonly text: string }
  | { readonly kind: "stop"; readonly id: string; readonly reason?: string }
  /** From its kept work (`resume`), or from where it began (`retry`): a new run, whose id is answered. */
  | {
      readonly kind: "resume";
      readonly id: string;
      readonly note?: string;
      /** A limit that stopped it, raised. */
      readonly budgetUsd?: number;
      readonly timeoutSeconds?: number;
    }
  | { readonly kind: "retry"; readonly id: string; readonly note?: string }
  /** To a worker that is at work; about a place in its diff where `path` is given. */
  | {
      readonly kind: "message";
      readonly id: string;
      readonly text: string;
      readonly path?: string;
      readonly line?: number;
    }
  | {
      readonly kind: "task-status";
      readonly task: string;
      readonly status: string;
      /** Also where TODO.md says otherwise. */
      readonly confirmed?: boolean;
    }
  | { readonly kind: "start-story"; readonly story: StoryDraft }
  /** `tip` is the commit of the preview: a story that has moved since is refused. */
  | { readonly kind: "merge"; readonly story: string; readonly tip: string; readonly squash?: boolean }
  | { readonly kind: "merge-undo"; readonly story: string }
  | { readonly kind: "run-task"; readonly task: string }
  | { readonly kind: "add-task"; readonly title: string; readonly description?: string };

/** The part of a story that a page can ask for. */
export interface StoryDraft {
  readonly title: string;
  readonly agent?: string;
  readonly criteria?: readonly string[];
  /** Commands that must pass. */
  readonly checks?: readonly string[];
  readonly budgetUsd?: number;
  readonly timeoutSeconds?: number;
}

export type ActionKind = Action["kind"];

export interface ActionResult {
  readonly kind: ActionKind;
  /** Describes the event in one sentence. */
  readonly message: string;
  /** The new run of `resume`, `retry`, `unblock`, `start-story` and `run-task`. */
  readonly run: string | null;
}
