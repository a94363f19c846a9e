import type { Criterion } from "../../contract/task.ts";
import type { Delegation } from "../../journal/store.ts";
import type { CheckResult } from "../../verification/run-checks.ts";

/** Runs checks on the trees that work starts from, so that red and green of the work can be compared with them. */
export interface BaseChecks {
  /**
   * Begins to check the base in parallel with the worker, or joins a run of the same checks. Resolves at once; results of
   * the same tree, check and recipe are in the journal by then.
   */
  readonly begin: (delegation: Delegation, base: string) => Promise<void>;
  /** Waits until the base is checked, but not for long. */
  readonly wait: (delegation: Delegation, maxMs: number) => Promise<void>;
  /** The known results of these criteria on the tree of a commit. */
  readonly results: (
    delegation: Delegation,
    place: { readonly commit: string; readonly criteria: readonly Criterion[] },
  ) => Promise<readonly CheckResult[]>;
  /** Keeps the check results of merged work, for work that starts from it. */
  readonly keep: (
    delegation: Delegation,
    place: { readonly commit: string; readonly results: readonly CheckResult[] },
  ) => Promise<void>;
  /** Ends the waiting of this delegation. */
  readonly stop: (id: string) => void;
  readonly stopAll: () => Promise<void>;
}
