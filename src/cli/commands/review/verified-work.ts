import type { ExitCode } from "../../../contract/exit-code.ts";
import type { Delegation } from "../../../journal/store.ts";
import type { CriterionRow } from "../../../orchestrator/criteria-rows.ts";

/** A piece of work with its criteria, as the store knows them. */
export interface VerifiedWork {
  readonly delegation: Delegation;
  /** The whole story it belongs to. */
  readonly tree: readonly Delegation[];
  readonly rows: readonly CriterionRow[];
  readonly workers: readonly WorkerSum[];
}

/** One worker below it, in numbers. */
export interface WorkerSum {
  readonly id: string;
  readonly outcome: string | null;
  readonly required: number;
  readonly met: number;
}

/** What a look at the criteria gave; `commit` where they were checked anew, `interrupted` where that was stopped. */
export interface Verification {
  readonly rows: readonly CriterionRow[];
  readonly commit?: string;
  readonly interrupted?: ExitCode;
}
