import type { KeptError } from "../../contract/agent-return.ts";
import type { DelegationState, Outcome } from "../../contract/outcome.ts";
import type { WorkProof } from "../../contract/task.ts";
import type { Tokens } from "../../contract/usage.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";
import type { Account } from "../../ledger/budget-tree.ts";
import type { Candidate } from "./candidate.ts";
import type { Turn } from "./turn.ts";

export interface Delegation {
  readonly id: string;
  readonly story: string;
  readonly parent: string | null;
  /** The attempt of its manager that asked for it. */
  readonly parentAttempt: number;
  readonly depth: number;
  readonly description: string;
  readonly agent: string | null;
  /** The checklist item of its manager that it does. */
  readonly todo: string | null;
  readonly path: readonly string[];
  readonly sessionId: string;
  readonly executionId: string;
  readonly state: DelegationState;
  readonly outcome: Outcome | null;
  readonly code: string | null;
  readonly summary: string;
  /** Number of the newest attempt, 0 before the first: the fencing token. */
  readonly attempt: number;
  readonly priority: number;
  readonly estimatedHours: number | null;
  readonly timeoutSeconds: number;
  readonly scope: readonly string[];
  readonly criteria: readonly string[];
  readonly contextTokens: number;
  readonly workers: number;
  readonly openWorkers: number;
  readonly tokens: Account;
  readonly money: Account;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Its own use, without its workers'. */
  readonly microUsd: number;
  readonly estimated: boolean;
  /** Tokens of models without a known price; no sum of money includes them. */
  readonly unpricedTokens: number;
  /** Its attempts for which both the agent's dollars and the price list's are known; null when there are none. */
  readonly compared: { readonly reportedMicroUsd: number; readonly estimatedMicroUsd: number } | null;
  /** Use booked for the agent's current session, over all attempts that continued it. */
  readonly sessionUse: Tokens & { readonly microUsd: number };
  readonly cancelRequested: boolean;
  readonly filesChanged: readonly string[];
  /** Null in journals of versions that did not keep it. */
  readonly work: WorkSpec | null;
  readonly turn: Turn;
  /** The delegations or approvals that a parked delegation waits for. */
  readonly waitingFor: readonly string[];
  /** The agent's own session, where its adapter can continue one. */
  readonly agentSession: string | null;
  readonly workspace: { readonly path: string; readonly isolation: "worktree" | "sandbox" } | null;
  /** The commit its work started from, and the newest one that was kept of it. */
  readonly base: string | null;
  readonly tip: string | null;
  readonly returnStatus: string | null;
  /** The failures that its newest return reports, and the next steps it advises. */
  readonly errors: readonly KeptError[];
  readonly nextSteps: string;
  /** The proven merge: `commit` replaces `onto` on the manager's branch. */
  readonly candidate: Candidate | null;
  readonly waived: readonly string[];
  /** How far the checks of its accepted work prove it; null while it is not accepted, or where no one recorded it. */
  readonly proof: WorkProof | null;
  readonly workspaceMs: number | null;
  readonly admittedAt: string;
  readonly startedAt: string | null;
  readonly closedAt: string | null;
  readonly durationMs: number | null;
}

/** The part of a delegation that an overview of a story shows: a quarter of its columns, because an overview must answer at once. */
export type OutlinedDelegation = Pick<
  Delegation,
  | "id"
  | "story"
  | "depth"
  | "description"
  | "agent"
  | "state"
  | "outcome"
  | "code"
  | "summary"
  | "attempt"
  | "microUsd"
  | "estimated"
  | "waitingFor"
  | "startedAt"
  | "closedAt"
  | "durationMs"
> & { readonly turn: Pick<Turn, "heldBy" | "notBeforeMs"> };

export type NamedDelegation = Pick<Delegation, "id" | "description" | "state" | "outcome">;

/** A delegation whose passed checks every later merge must keep. */
export type ProvenDelegation = Pick<
  Delegation,
  "id" | "parent" | "state" | "outcome" | "candidate" | "cancelRequested" | "waived" | "work"
>;
