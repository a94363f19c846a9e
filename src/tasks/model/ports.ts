import type { TaskChange } from "./task-operation.ts";

/** Writes the changes of one operation. After a crash it is called again with the same id, so it must be idempotent. */
export type TaskJournal = (changes: readonly TaskChange[], changeId: string) => Promise<void>;

/**
 * Finds out when lines of a file were last committed (`git blame`): line numbers from 1 to ISO times. Uncommitted lines
 * are absent. `path` is relative to the project's root.
 */
export type GitDates = (path: string, lines: readonly number[]) => Promise<ReadonlyMap<number, string>>;

/** The effects of a change on the disk; only tests that stop a change between its effects replace it. */
export interface TaskEffects {
  /** Writes the file whole or not at all; it is on the disk when this returns. */
  readonly write: (file: string, text: string) => void;
  readonly move: (from: string, to: string) => void;
  readonly remove: (file: string) => void;
}
