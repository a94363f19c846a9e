import type { TreeNode, StorySummary } from "./story.ts";

/**
 * `GET /api/audit?after=&before=&limit=&run=&delegation=&type=&text=`: in order of their numbers; the newest page where
 * neither `after` nor `before` is given. `GET /api/audit/export?run=&type=` gives them all, one JSON object per line.
 */
export interface AuditPage {
  /** Number of the newest event of the whole journal. */
  readonly seq: number;
  readonly events: readonly AuditRow[];
  /** Pass as `after` to go on, as `before` to go back; null at that end. */
  readonly after: number | null;
  readonly before: number | null;
}

export interface AuditRow {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly run: string;
  /** The delegation it is about, else the run. */
  readonly about: string;
  readonly attempt: number;
  readonly detail: string;
  readonly hash: string;
}

/** `GET /api/audit/:seq`: the whole document of one event, as indented JSON. */
export interface AuditEvent extends AuditRow {
  readonly json: string;
}

/** `GET /api/audit/verify`. */
export interface ChainCheck {
  readonly isIntact: boolean;
  readonly events: number;
  /** Of the newest event that was checked. */
  readonly hash: string;
  readonly problem: string;
}

/**
 * `GET /api/events?nodes=<run>&after=<seq>` is a stream of server-sent events named `batch`, whose `id` is `to`; a browser
 * that comes back with it as Last-Event-ID goes on exactly there. It tells of the whole project, and with `nodes` also of
 * one run's nodes: a page needs no second stream, of which a browser allows only six in all its windows. `run=<id>`
 * leaves all other runs out. A `ping` without data comes when nothing else does. `stale` says that the store was replaced: load everything again.
 */
export interface StreamBatch {
  /** Events after this number … */
  readonly from: number;
  /** … up to this one are in it, of those the listener asked for. */
  readonly to: number;
  readonly nowMs: number;
  readonly events: readonly StreamEvent[];
  /** Runs that changed, as they are now. */
  readonly runs: readonly StorySummary[];
  /** With `nodes` or `run`: nodes of it that changed, as they are now. A new one stands after its last sibling. */
  readonly nodes: readonly TreeNode[];
}

/** With `nodes`, an event named `output` tells what its running workers wrote last, whenever that changed. */
export interface WorkerOutput {
  readonly id: string;
  readonly line: string;
  readonly atMs: number;
  /** A worker that wrote nothing for longer is shown as silent. */
  readonly silentAfterMs: number;
}

export type StreamEvent = Omit<AuditRow, "hash">;
