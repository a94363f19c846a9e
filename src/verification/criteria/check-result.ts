import type { ErrorCode } from "../../contract/error-code.ts";
import type { Criterion, CriterionProof } from "../../contract/task.ts";

/** Why a check did not pass. */
export type CheckCode =
  | ErrorCode
  /** The command ended by itself without success. */
  | "CHECK_FAILED"
  /** It was stopped on request. */
  | "CHECK_STOPPED"
  /** It never started, so nothing is known. */
  | "CHECK_NOT_RUN";

/** The result of one check. `unverified` means that the check could not find out, for whatever reason. */
export interface CheckFinding {
  readonly verdict: "passed" | "failed" | "unverified";
  readonly code: CheckCode | null;
  /** For people: the first line is the result; the others name the log and quote the last output. */
  readonly evidence: string;
  readonly proof?: CriterionProof;
  /** Possible reasons for the failure besides the files: one sentence each. They are in the evidence, too. */
  readonly hints?: readonly string[];
}

export interface CheckResult extends CheckFinding {
  readonly criterion: Criterion;
  /** It failed first and passed when it was repeated on the same tree. */
  readonly isFlaky?: boolean;
}
