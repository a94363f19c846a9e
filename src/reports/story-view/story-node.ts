import type { DelegationState, Outcome } from "../../contract/outcome.ts";
import type { StoryStart } from "./story-start.ts";

/** One delegation as a watcher of its story sees it. The story's own node has the story's id and an empty label. */
export interface StoryNode {
  readonly id: string;
  readonly parent: string | null;
  readonly number: number;
  /** The path from the story: `2.1` is the first worker of its second worker. */
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
  /** Its own use, without that of its workers. */
  readonly microUsd: number;
  readonly tokens: number;
  readonly costSource: CostSource;
  /** The same for all attempts before the newest. */
  readonly earlierCostSource: CostSource;
  readonly filesChanged: readonly string[];
  readonly criteria: CriteriaCount;
  /**
   * The meaning of its checks, compared with the tree it started from: a proof, or the meaning of a failed check; else
   * empty.
   */
  readonly shows: string;
  /** The newest thing it said or that happened to it; one line, not yet made safe for a terminal. */
  readonly activity: string;
  /** When it last wrote something or reported usage; null before its first attempt. */
  readonly heardAtMs: number | null;
  /** It was warned because it wrote nothing for long. */
  readonly isStalled: boolean;
  /** The newest failed finding of each criterion. */
  readonly findings: readonly Finding[];
  readonly refusals: readonly Refusal[];
  readonly approvals: readonly Approval[];
  /** Delegations it waits for: its workers while parked, its dependencies while queued. */
  readonly waitingFor: readonly string[];
  readonly dependsOn: readonly string[];
  readonly waitReason: string;
  readonly retryAtMs: number | null;
  readonly isStopping: boolean;
  readonly isChecking: boolean;
  readonly mergeRefusal: MergeRefusal | null;
  /** Known only for the story's own node. */
  readonly start: StoryStart | null;
  /** Notes about checks that fail on the tree it started from. */
  readonly redBase: readonly string[];
  /** Changes outside its workspace while it worked. */
  readonly outside: readonly string[];
  readonly limits: NodeLimits;
  /** Ids, in the order of their numbers. */
  readonly workers: readonly string[];
}

/** How certain a sum is, most certain first; a total is as certain as its least certain part. */
export const costSources = ["reported", "estimated", "unpriced", "simulated"] as const;
export type CostSource = (typeof costSources)[number];

export function chooseLessCertain(one: CostSource, other: CostSource): CostSource {
  return costSources.indexOf(one) > costSources.indexOf(other) ? one : other;
}

/** Only required criteria are counted: work can be done without the others. */
export interface CriteriaCount {
  readonly total: number;
  /** Ids of criteria that are not required. */
  readonly advisory: ReadonlySet<string>;
  /** Verdict by criterion. */
  readonly verdicts: ReadonlyMap<string, string>;
  readonly passed: number;
}

interface Finding {
  readonly id: string;
  readonly criterion: string;
  readonly evidence: string;
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

/** Its limits; null if there is none or it is not known. */
export interface NodeLimits {
  readonly microUsd: number | null;
  readonly tokens: number | null;
  readonly seconds: number | null;
  /** Known only for the story's own node; they apply to the whole tree. */
  readonly maxDepth: number | null;
  readonly maxDelegations: number | null;
  readonly fanOut: readonly number[];
}

export interface StoryView {
  readonly story: string;
  /** The story's own node first; parents come before their workers. */
  readonly nodes: ReadonlyMap<string, StoryNode>;
  /** Number of the newest event seen, so that no event counts twice. */
  readonly lastSeq: number;
}

/** The state shown to people; it does not depend on the newest event alone. */
export type ShownState =
  | Exclude<DelegationState, "closed">
  | "needs you"
  | "stopping"
  | "checking"
  | "ended"
  | Outcome;

/** A question to a person takes precedence over everything but the end. */
export function readShownState(node: StoryNode): ShownState {
  if (node.state === "closed") return node.outcome ?? "ended";
  if (node.approvals.length > 0) return "needs you";
  if (node.isStopping) return "stopping";
  return node.state === "returned" && node.isChecking ? "checking" : node.state;
}

const stateWords: Readonly<Record<ShownState, string>> = {
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

export function describeState(state: ShownState): string {
  return stateWords[state];
}

/** The name people use in a command: the label, or the id for the story itself. */
export function nameForCommands(node: StoryNode): string {
  return node.label === "" ? node.id : node.label;
}
