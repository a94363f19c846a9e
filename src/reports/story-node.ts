import type { DelegationState, Outcome } from "../contract/outcome.ts";

/** One delegation as somebody who watches its story sees it. The story's own node has its id and an empty label. */
export interface StoryNode {
  readonly id: string;
  readonly parent: string | null;
  readonly number: number;
  /** The way down from the story: `2.1` is the first worker of its second. */
  readonly label: string;
  readonly depth: number;
  readonly title: string;
  readonly agent: string;
  readonly model: string;
  readonly state: DelegationState;
  readonly outcome: Outcome | null;
  readonly code: string | null;
  readonly summary: string;
  readonly attempt: number;
  readonly openedAtMs: number | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Its own use, without its workers'. */
  readonly microUsd: number;
  readonly tokens: number;
  readonly costSource: CostSource;
  /** Of all attempts but the newest. */
  readonly earlierCostSource: CostSource;
  readonly filesChanged: readonly string[];
  readonly criteria: CriteriaCount;
  /** The newest thing it said or that happened to it; one line, not yet fit for a terminal. */
  readonly activity: string;
  readonly refusals: readonly Refusal[];
  readonly approvals: readonly Approval[];
  /** Delegations it waits for: its workers while it is parked, what it depends on while it is queued. */
  readonly waitingFor: readonly string[];
  readonly dependsOn: readonly string[];
  readonly waitReason: string;
  readonly retryAtMs: number | null;
  readonly isStopping: boolean;
  readonly isChecking: boolean;
  readonly mergeRefusal: MergeRefusal | null;
  readonly limits: NodeLimits;
  /** Ids, in the order of their numbers. */
  readonly workers: readonly string[];
}

/** How sure a sum is; of several, the least sure one counts. */
export const costSources = ["reported", "estimated", "unpriced", "simulated"] as const;
export type CostSource = (typeof costSources)[number];

export function lessSure(one: CostSource, other: CostSource): CostSource {
  return costSources.indexOf(one) > costSources.indexOf(other) ? one : other;
}

export interface CriteriaCount {
  readonly total: number;
  /** Verdict by criterion. */
  readonly verdicts: ReadonlyMap<string, string>;
  readonly passed: number;
}

export interface Refusal {
  readonly description: string;
  readonly codes: readonly string[];
}

export interface Approval {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
}

export interface MergeRefusal {
  readonly code: string;
  readonly files: readonly string[];
}

/** What it may use; null where there is no limit or none is known. */
export interface NodeLimits {
  readonly microUsd: number | null;
  readonly tokens: number | null;
  readonly seconds: number | null;
  /** Known for the story's own node only; they hold for the whole tree. */
  readonly maxDepth: number | null;
  readonly maxDelegations: number | null;
  readonly fanOut: readonly number[];
}

export interface StoryView {
  readonly story: string;
  /** The story's own node first; parents stand before their workers. */
  readonly nodes: ReadonlyMap<string, StoryNode>;
  /** Number of the newest event seen; older ones are not counted twice. */
  readonly lastSeq: number;
}

/** What a person is told about a node; the newest event alone does not decide. */
export type ShownState =
  | Exclude<DelegationState, "closed">
  | "needs you"
  | "stopping"
  | "checking"
  | "ended"
  | Outcome;

/** A question to a person outweighs everything else that goes on. */
export function shownState(node: StoryNode): ShownState {
  if (node.state === "closed") return node.outcome ?? "ended";
  if (node.approvals.length > 0) return "needs you";
  if (node.isStopping) return "stopping";
  return node.state === "returned" && node.isChecking ? "checking" : node.state;
}

const words: Readonly<Record<ShownState, string>> = {
  queued: "queued",
  running: "running",
  parked: "waiting",
  returned: "returned",
  checking: "checking",
  verified: "verified",
  merged: "merged",
  "needs you": "needs you",
  stopping: "stopping",
  ended: "ended",
  completed: "done",
  partial: "partial",
  failed: "failed",
  blocked: "blocked",
  cancelled: "cancelled",
  timed_out: "timed out",
};

export function stateWord(state: ShownState): string {
  return words[state];
}

/** How a person names it in a command: by its label, the story by its id. */
export function nameOf(node: StoryNode): string {
  return node.label === "" ? node.id : node.label;
}
