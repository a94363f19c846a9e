import type { Priority } from "../../contract/priority.ts";
import type { TaskStatus } from "../../contract/task-status.ts";

/** A task as stored in the files. `status` is "unknown" for a word of another tool; `statusText` is the word itself. */
export interface StoredTask {
  /** Text, because projects also number with `12.1` or `US-3` (C37); `007` and `7` are the same id. */
  readonly id: string;
  readonly number: number | undefined;
  /** `project_name`, the second half of the folder name. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** From state.json; `TaskStore.languages` has all sources in the order of C23. */
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
  /** The acceptance criteria in words; `raw` has their other fields. */
  readonly criteria: readonly string[];
  readonly archived: boolean;
  /** The reason it was archived: "completed", "abandoned", … */
  readonly archiveReason: string | undefined;
  /** An entry of TODO.md that state.json lacks; `sync` takes it in. */
  readonly isOnlyInTodo?: true;
  /** The entry as written in the file, including unknown fields. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface TaskArtifact {
  readonly type: string;
  /** Relative to the project's root. */
  readonly path: string;
  readonly summary?: string;
}

export interface TaskFilter {
  /** Active tasks by default; "all" lists the active ones first. */
  readonly place?: "active" | "archived" | "all";
  /** Also the entries of TODO.md that neither list has. */
  readonly withTodo?: boolean;
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

/** Fields that `updateMetadata` can set. The status has its own operation, because it has a transition table. */
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

/** One part of a divided task; `after` names earlier parts of the same division, counted from 1. */
export interface NewSubtask extends Omit<NewTask, "parent"> {
  readonly after?: readonly number[];
}

/** The text of another tool's task file. */
export interface TaskImport {
  readonly text: string;
  /** Stored in the new tasks, so that a second import of the same source adds no task twice. */
  readonly source: string;
}

export interface TaskUpdate {
  readonly status?: string;
  readonly metadata?: TaskMetadata;
  /** Added to the existing ones; an artifact with a known path is not added again. */
  readonly artifacts?: readonly TaskArtifact[];
}

export interface TaskDivide {
  readonly subtasks: readonly NewSubtask[];
  /** The prompt of the division; it is recorded, but not interpreted here. */
  readonly prompt?: string;
}

/** `343-345, 337`, `all`, one number, or a list: both spellings of C26 in one value. */
export type TaskSelection = number | string | readonly (number | string)[];

/** The places where a task's language is written, in the order of C23. */
export interface LanguageSources {
  readonly project: string | undefined;
  readonly state: string | undefined;
  readonly todo: string | undefined;
}
