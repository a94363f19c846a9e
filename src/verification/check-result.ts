import type { ErrorCode } from "../contract/error-code.ts";
import type { Criterion, CriterionProof } from "../contract/task.ts";

/** Why a check did not pass. */
export type CheckCode =
  | ErrorCode
  /** It ended by itself, and not well. */
  | "CHECK_FAILED"
  /** It was ended on request. */
  | "CHECK_STOPPED"
  /** It never began: nothing is known. */
  | "CHECK_NOT_RUN";

/** What a check found. `unverified` means it could not be found out, whoever is to blame. */
export interface CheckFinding {
  readonly verdict: "passed" | "failed" | "unverified";
  readonly code: CheckCode | null;
  /** For people: the first line says it all, the others are where to look and what was written last. */
  readonly evidence: string;
  readonly proof?: CriterionProof;
}

export interface CheckResult extends CheckFinding {
  readonly criterion: Criterion;
}
