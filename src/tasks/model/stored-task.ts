import type { Priority } from "../../contract/priority.ts";
import type { TaskStatus } from "../../contract/task-status.ts";

/** A task as the files have it. `status` is "unknown" for words other tools made up; `statusText` is what is written. */
export interface StoredTask {
  /** Text, because projects also number with `12.1` or `US-3` (C37); `007` and `7` are the same id. */
  readonly id: string;
  readonly number: number | undefined;
  /** `project_name`, the second half of the folder's name. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** From state.json; see `TaskStore.languages` for the whole order of C23. */
  readonly language: string;
  readonly status: TaskStatus | "unknown";
  readonly statusText: string;
  readonly priority: Priority;
  readonly effort: string;
  readonly created: string;
  readonly lastUpdated: string;
  readonly dependencies: readonly string[];
  readonly parent: string | undefined;
  readonly subtasks: readonly string[];
  readonly artifacts: readonly TaskArtifact[];
  /** What must be true in the end, in words; `raw` has what else an entry says about them. */
  readonly criteria: readonly string[];
  readonly archived: boolean;
  /** Why it was archived: "completed", "abandoned", … */
  readonly archiveReason: string | undefined;
  /** The entry as it stands in the file, unknown fields included. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface TaskArtifact {
  readonly type: string;
  /** From the project's root. */
  readonly path: string;
  readonly summary?: string;
}

export interface TaskFilter {
  /** Active tasks unless told; "all" gives the active ones first. */
  readonly place?: "active" | "archived" | "all";
  readonly statuses?: readonly (TaskStatus | "unknown")[];
  readonly language?: string;
  readonly priority?: Priority;
  readonly parent?: string;
  /** Part of the title, slug or description, any case. */
  readonly text?: string;
}

export interface NewTask {
  readonly title: string;
  readonly description?: string;
  readonly language?: string;
  readonly priority?: string;
  readonly effort?: string;
  readonly dependencies?: readonly (number | string)[];
  readonly criteria?: readonly string[];
  readonly parent?: number | string;
}

/** What `updateMetadata` may set; the status has its own operation because it has a transition table. */
export interface TaskMetadata {
  readonly title?: string;
  readonly description?: string;
  readonly language?: string;
  readonly priority?: string;
  readonly effort?: string;
  readonly dependencies?: readonly (number | string)[];
  /** Further fields of the entry in state.json (`criteria`, `plan_metadata`, …); null removes one. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** One part of a divided task; `after` names earlier parts of the same division, the first is 1. */
export interface NewSubtask extends Omit<NewTask, "parent"> {
  readonly after?: readonly number[];
}

/** `343-345, 337`, `all`, one number, or a list; both spellings of C26 arrive here as one value. */
export type TaskSelection = number | string | readonly (number | string)[];

/** Where a task's language is written, in the order of C23. */
export interface LanguageSources {
  readonly project: string | undefined;
  readonly state: string | undefined;
  readonly todo: string | undefined;
}
