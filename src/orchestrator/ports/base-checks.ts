import type { Delegation } from "../../journal/store.ts";
import type { CheckResult } from "../../verification/run-checks.ts";

/** Runs checks on the tree that a story started from, so that red and green of its work can be compared with it. */
export interface BaseChecks {
  /**
   * Begins to check the base beside the worker. Resolves at once; results of the same tree, check and recipe are in
   * the journal by then.
   */
  readonly begin: (delegation: Delegation, base: string) => Promise<void>;
  /** Waits until the base is checked, but not for long. */
  readonly wait: (delegation: Delegation, maxMs: number) => Promise<void>;
  /** What is known of the base about the checks of a delegation. */
  readonly results: (delegation: Delegation, base: string) => Promise<readonly CheckResult[]>;
  readonly stop: (story: string) => void;
  readonly stopAll: () => Promise<void>;
}
