import type { ErrorCode } from "../contract/error-code.ts";
import type { Limits } from "../contract/limits.ts";

/** One requested delegation of a batch. */
export interface GuardRequest {
  readonly description: string;
  /** It was written as `[delegate:…]` in an agent's message, where text of others can slip in. */
  readonly isDirective?: boolean;
  /** The requested role; undefined when any worker, or any worker of one program, will do. */
  readonly agent?: string;
  /** The existing story or task that the work is for. */
  readonly targetId?: string;
  readonly contextTokens: number;
  /** Micro-dollars the caller wants to lend. */
  readonly microUsd?: number;
}

/** The current facts, read in the transaction that admits. */
export interface GuardFacts {
  readonly callerDepth: number;
  /** Agent names from the root to the caller. */
  readonly agentPath: readonly string[];
  /** Story and delegation ids from the root to the caller. */
  readonly idPath: readonly string[];
  readonly storyDelegations: number;
  readonly callerWorkers: number;
  /** Delegations requested in the same call, this one included. */
  readonly batchSize: number;
  readonly callerContextTokens: number;
  /** Micro-dollars that the caller may still lend; null when unlimited. */
  readonly availableMicroUsd: number | null;
}

export interface Passed {
  readonly ok: true;
  /** Recorded in the audit trail (R16). */
  readonly check: string;
  readonly warning?: string;
}

export interface Failed {
  readonly ok: false;
  readonly code: ErrorCode;
  /** First line: what happened, with the limit. */
  readonly message: string;
  /** The numbers, one per line. */
  readonly details: readonly string[];
  readonly suggestion: string;
}

export type Verdict = Passed | Failed;
export type Guard = (request: GuardRequest, facts: GuardFacts, limits: Limits) => Verdict;

export function passed(check: string): Passed {
  return { ok: true, check };
}

/** The whole text of a refusal: what happened, the numbers, the suggestion (R69). */
export function explainFailure(failure: Failed): string {
  return [`ERROR: ${failure.message}`, "", ...failure.details, `Suggestion: ${failure.suggestion}`].join(
    "\n",
  );
}
