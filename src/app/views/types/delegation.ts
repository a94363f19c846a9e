import type { CostSource, Problem } from "./common.ts";
import type { ModelCost } from "./cost.ts";
import type { ActionKind, InboxEntry } from "./inbox.ts";
import type { TreeNode } from "./story.ts";

/** `GET /api/delegations/:id`: one delegation, or the story itself under its own id. */
export interface DelegationDetail {
  readonly seq: number;
  readonly nowMs: number;
  readonly run: string;
  readonly node: TreeNode;
  readonly sessionId: string;
  readonly path: readonly string[];
  readonly scope: readonly string[];
  readonly context: string;
  readonly command: readonly string[];
  readonly isolation: string | null;
  readonly workspace: string | null;
  readonly base: string | null;
  readonly tip: string | null;
  readonly filesChanged: readonly string[];
  readonly attempts: readonly Attempt[];
  readonly limits: readonly LimitUse[];
  readonly criteria: readonly CriterionRow[];
  readonly handBack: HandBack;
  readonly messages: readonly MessageRow[];
  /** Its own list of tasks, where it manages others. */
  readonly todos: readonly TodoRow[];
  readonly questions: readonly InboxEntry[];
  readonly refusals: readonly { readonly description: string; readonly codes: readonly string[] }[];
  readonly cost: NodeCost;
  readonly can: readonly ActionKind[];
}

export interface Attempt {
  readonly number: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Why it ended, or was made: in a few words. */
  readonly reason: string;
  readonly code: string | null;
}

/** `cost` in micro-dollars, `time` in milliseconds, the others as counts; `of` is null where nothing limits it. */
export interface LimitUse {
  readonly name: "cost" | "tokens" | "time" | "workers" | "depth";
  readonly used: number;
  readonly of: number | null;
}

export interface CriterionRow {
  readonly id: string;
  readonly text: string;
  readonly required: boolean;
  /** How it is proven: a command, a file, a change; empty where a person or manager decides. */
  readonly check: string;
  readonly verdict: "unverified" | "passed" | "failed" | "waived";
  readonly evidence: string;
  /** Says in words what a passed or failed check means, and whether it is flaky. */
  readonly notes: readonly string[];
  readonly by: string;
  readonly atMs: number | null;
}

/** The worker's return, as it wrote it and as it was judged. */
export interface HandBack {
  /** `absent`: none yet. `unread`: there is a text in which no return was found. */
  readonly status: "absent" | "unread" | "invalid" | "valid";
  readonly raw: string;
  readonly isCut: boolean;
  readonly problems: readonly Problem[];
  /** The part of the accepted return that the journal keeps. */
  readonly accepted: {
    readonly status: string;
    readonly summary: string;
    readonly artifacts: readonly string[];
    readonly errors: readonly Problem[];
    readonly nextSteps: string;
  } | null;
  /** Returns that were sent back for repair, by the codes they were sent back for. */
  readonly rejected: readonly { readonly atMs: number | null; readonly codes: readonly string[] }[];
}

export interface MessageRow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly text: string;
  readonly state: "pending" | "delivered" | "acknowledged" | "dismissed";
  readonly atMs: number | null;
}

export interface TodoRow {
  readonly id: string;
  readonly content: string;
  readonly status: "pending" | "in_progress" | "delegated" | "completed";
  readonly worker: string;
  readonly blocked: string;
}

export interface NodeCost {
  readonly microUsd: number;
  readonly totalMicroUsd: number;
  readonly source: CostSource;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly unpricedTokens: number;
  readonly byModel: readonly ModelCost[];
}

/**
 * `GET /api/delegations/:id/log?attempt=&stream=&from=&to=&line=&first=`: a piece of what an attempt wrote. `line` asks for the
 * piece in which that line is; `first` says the number of the first line after `from`, so that no client has to count. `…/log/download` gives it all as text.
 */
export interface LogPage {
  readonly attempt: number;
  readonly stream: LogStream;
  readonly lines: readonly string[];
  /** The lines that the program coloured, by their place in `lines`. */
  readonly colours: Readonly<Record<number, readonly LogPiece[]>>;
  /** When lines were written: each time holds from its line up to the next one. Empty where it was not noted. */
  readonly times: readonly { readonly line: number; readonly atMs: number }[];
  /** Number of the first of these lines, counted from 1; 0 where it was not counted. */
  readonly firstLine: number;
  /** Bytes of the file this page covers: pass `to` as `from` for what follows, `from` as `to` for what came before. */
  readonly from: number;
  readonly to: number;
  readonly size: number;
  /** False once nothing will be added: the attempt has ended. */
  readonly isLive: boolean;
}

/** A part of a line that looks the same throughout. */
export interface LogPiece {
  readonly text: string;
  readonly tone: LogTone;
  readonly isBold: boolean;
}

/** The colours that are drawn, each readable on any ground; empty for that of the text. */
export type LogTone = "" | "quiet" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

/** `prompt` is what the worker was told. */
export type LogStream = "stdout" | "stderr" | "prompt";

/** `GET /api/delegations/:id/diff`. */
export interface Diff {
  readonly from: string;
  readonly to: string;
  readonly files: readonly DiffFile[];
  readonly added: number;
  readonly removed: number;
  /** A patch as git writes it, cut at a whole line where it was too long. */
  readonly patch: string;
  readonly isCut: boolean;
  /** The worker is at work: its files as they are now. */
  readonly isLive: boolean;
  /** Why there is nothing to compare; null where there is. */
  readonly missing: string | null;
}

export interface DiffFile {
  readonly path: string;
  readonly oldPath: string | null;
  readonly kind: string;
  readonly added: number | null;
  readonly removed: number | null;
}
