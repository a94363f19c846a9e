/** `GET /api/inbox`: oldest first. */
export interface Inbox {
  readonly seq: number;
  readonly entries: readonly InboxEntry[];
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
  readonly can: readonly ActionKind[];
}

/** `POST /api/actions`. */
export type Action =
  | { readonly kind: "approve"; readonly approval: string; readonly reason?: string }
  | { readonly kind: "reject"; readonly approval: string; readonly reason: string }
  | { readonly kind: "reply"; readonly approval: string; readonly text: string }
  | { readonly kind: "stop"; readonly id: string; readonly reason?: string }
  /** From its kept work (`resume`), or from where it began (`retry`): a new run, whose id is answered. */
  | { readonly kind: "resume"; readonly id: string; readonly note?: string }
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
    };

export type ActionKind = Action["kind"];

export interface ActionResult {
  readonly kind: ActionKind;
  /** What happened, in one sentence. */
  readonly message: string;
  /** The new run of `resume` and `retry`. */
  readonly run: string | null;
}
