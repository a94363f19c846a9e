import type { TaskChange } from "./task-operation.ts";

/** Writes the changes of one operation; called again with the same id after a crash, so it must be idempotent by it. */
export type TaskJournal = (changes: readonly TaskChange[], changeId: string) => Promise<void>;

/**
 * When lines of a file were last committed (`git blame`): line number, from 1, to ISO time. A line that is not
 * committed is absent. `path` is relative to the project's root.
 */
export type GitDates = (path: string, lines: readonly number[]) => Promise<ReadonlyMap<number, string>>;

/** What a change does to the disk; replaced only by tests that stop a change after each of its effects. */
export interface TaskEffects {
  /** Whole or not at all, and on the disk when it returns. */
  readonly write: (file: string, text: string) => void;
  readonly move: (from: string, to: string) => void;
  readonly remove: (file: string) => void;
}
