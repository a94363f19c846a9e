import type { Delegation } from "../../journal/store.ts";
import type { CriterionRow } from "../../orchestrator/criteria-rows.ts";

/** A piece of work with its criteria, as the store knows them. */
export interface VerifiedWork {
  readonly delegation: Delegation;
  /** The whole story it belongs to. */
  readonly tree: readonly Delegation[];
  readonly rows: readonly CriterionRow[];
  /** Some worker of the story is or was sandboxed. */
  readonly holdsSandboxedWork: boolean;
}
