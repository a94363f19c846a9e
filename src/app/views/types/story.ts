import type { WorkProof } from "../../../contract/work-proof.ts";
import type { CostSource, NodeState, Problem } from "./common.ts";

/** `GET /api/runs?limit=<n>`: the newest n (50 when absent, at most 1,000) and everything that is still open. */
export interface StoryList {
  readonly seq: number;
  /** First stories that need a person, then those at work, then ended ones; each group newest first. */
  readonly runs: readonly StorySummary[];
  /** Whether a larger limit would show more. */
  readonly hasMore: boolean;
}

export interface StorySummary {
  readonly id: string;
  readonly kind: "story" | "workflow";
  readonly title: string;
  readonly group: "needsYou" | "working" | "done";
  readonly state: NodeState;
  readonly stateWord: string;
  readonly code: string | null;
  readonly summary: string;
  readonly agent: string;
  /** Workers; the story itself is not one of them. */
  readonly workers: number;
  readonly ended: number;
  readonly needsYou: number;
  /** Whether some of it could continue now; without a supervisor it is then interrupted. */
  readonly canGoOn: boolean;
  readonly microUsd: number;
  readonly limitMicroUsd: number | null;
  readonly costSource: CostSource;
  readonly tokens: number;
  readonly openedAtMs: number | null;
  readonly endedAtMs: number | null;
}

/** `GET /api/runs/:run`: the tree, parents before their workers, workers in the order of their numbers. */
export interface StoryDocument {
  readonly seq: number;
  readonly nowMs: number;
  readonly run: StorySummary;
  readonly limits: StoryLimits;
  readonly nodes: readonly TreeNode[];
}

export interface StoryLimits {
  readonly maxDepth: number | null;
  readonly maxDelegations: number | null;
  readonly timeoutMs: number | null;
  readonly budgetMicroUsd: number | null;
  readonly budgetTokens: number | null;
}

export interface TreeNode {
  readonly id: string;
  readonly parent: string | null;
  /** `2.1` is the first worker of the second; empty for the story itself. */
  readonly label: string;
  readonly depth: number;
  readonly title: string;
  readonly agent: string;
  readonly model: string;
  readonly state: NodeState;
  readonly stateWord: string;
  readonly code: string | null;
  readonly summary: string;
  /** The newest thing it said or that happened to it. */
  readonly activity: string;
  readonly attempt: number;
  readonly openedAtMs: number | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** R85: how far it is, 0–100: criteria that hold, and all below it that ended; null before it began. */
  readonly percent: number | null;
  /** R85: the estimate of the manager that asked; null without one. */
  readonly estimatedMs: number | null;
  /** Its own use; `totalMicroUsd` with all below it. */
  readonly microUsd: number;
  readonly totalMicroUsd: number;
  readonly limitMicroUsd: number | null;
  readonly costSource: CostSource;
  readonly tokens: number;
  readonly criteriaPassed: number;
  readonly criteriaFailed: number;
  readonly criteriaTotal: number;
  readonly filesChanged: number;
  /** Ids: its workers while it is parked, what it depends on while it is queued. */
  readonly waitsFor: readonly string[];
  readonly dependsOn: readonly string[];
  readonly waitReason: string;
  readonly retryAtMs: number | null;
  readonly refused: number;
  /** Open questions to a person, and the first of them. */
  readonly questions: number;
  readonly question: string;
  readonly mergeRefusal: { readonly code: string; readonly files: readonly string[] } | null;
}

/** `GET /api/runs/:run/work`: where the work of an ended story is, and what merging it would do. */
export interface StoryWork {
  /** The branch that holds its work; null without any. */
  readonly branch: string | null;
  /** How far its checks prove it; null before it is completed. */
  readonly proof: WorkProof | null;
  /** It is in a branch of the person's, and can be taken back. */
  readonly isMerged: boolean;
  readonly plan: MergePlan | null;
  /** Why it cannot be merged. */
  readonly problem: Problem | null;
}

export interface MergePlan {
  readonly status: "ready" | "conflict" | "already-merged" | "unfinished";
  /** The branch it goes into. */
  readonly into: string;
  readonly tip: string;
  readonly added: number;
  readonly removed: number;
  /** Changed files; for a conflict, the files that contradict each other. */
  readonly files: readonly string[];
  /** Files with uncommitted edits of the person, which stay uncommitted. */
  readonly edited: readonly string[];
  readonly unproven: readonly string[];
}

/** `GET /api/preview?story=<StoryDraft as JSON>`: the story that would start, and the advice about dividing it. */
export interface StoryAdvice {
  readonly agent: string;
  readonly facts: readonly string[];
  readonly advice: string;
  readonly reasons: readonly string[];
  readonly criteria: readonly string[];
  readonly warnings: readonly string[];
}

/** `GET /api/runs/:run/timeline`: one row per node, in the order of `Run.nodes`. */
export interface Timeline {
  readonly seq: number;
  readonly nowMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly rows: readonly TimelineRow[];
}

export interface TimelineRow {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly depth: number;
  readonly state: NodeState;
  readonly segments: readonly TimelineSegment[];
}

export interface TimelineSegment {
  /** `retry`: waits before the next attempt. `person`: waits for an answer. `workers`: waits for its workers. */
  readonly kind: "queued" | "running" | "workers" | "person" | "retry" | "checking";
  readonly attempt: number;
  readonly fromMs: number;
  /** Null while it lasts. */
  readonly toMs: number | null;
}
