import type { Clock } from "../base/clock.ts";
import { diskEffects } from "./applying/disk-effects.ts";
import type { OperationMode } from "./applying/run-operation.ts";
import type { Operation } from "./operations/outcome.ts";
import type { GitDates, TaskEffects, TaskJournal } from "./model/ports.ts";
import { openTaskReader, type TaskReader, type TaskReaderOptions } from "./read-tasks.ts";
import { findPlace } from "./files/place.ts";
import type { NewSubtask, NewTask, TaskArtifact, TaskMetadata, TaskSelection } from "./model/stored-task.ts";
import type { TaskOperation } from "./model/task-operation.ts";

export type { GitDates, TaskEffects, TaskJournal } from "./model/ports.ts";

export interface TaskStoreOptions extends TaskReaderOptions {
  readonly clock: Clock;
  readonly journal?: TaskJournal;
  readonly gitDates?: GitDates;
  readonly effects?: TaskEffects;
}

export interface ChangeOptions {
  /** Plan only; nothing is written. */
  readonly dryRun?: boolean;
  /** Change what can be changed instead of all or nothing (C24). */
  readonly continueOnError?: boolean;
  /** Why, in a person's words; `abandon` keeps it. */
  readonly reason?: string;
}

export interface TaskImport {
  readonly text: string;
  /** Named in the tasks that are made, so that a second import of the same source adds nothing twice. */
  readonly source: string;
}

export interface TaskUpdate {
  readonly status?: string;
  readonly metadata?: TaskMetadata;
  /** Added to those that are there; one with the same path is not added again. */
  readonly artifacts?: readonly TaskArtifact[];
}

export interface TaskDivide {
  readonly subtasks: readonly NewSubtask[];
  /** What the division was asked to look at; recorded, never interpreted here. */
  readonly prompt?: string;
}

/**
 * The task list of a project: `state.json` is the truth, `TODO.md` its readable half (C22). Reads take no lock.
 * Every change is planned, then applied under one lock: all files and the journal, or none of them, even after a
 * SIGKILL. What people edited in the files meanwhile is imported first.
 */
export interface TaskStore extends TaskReader {
  /** Finishes what a killed process left and imports hand edits; changes nothing else. */
  refresh(options?: ChangeOptions): Promise<TaskOperation>;
  create(task: NewTask, options?: ChangeOptions): Promise<TaskOperation>;
  /** Status, metadata and links of one task at once; repeating it writes nothing. */
  change(id: number | string, change: TaskUpdate, options?: ChangeOptions): Promise<TaskOperation>;
  updateStatus(selection: TaskSelection, status: string, options?: ChangeOptions): Promise<TaskOperation>;
  updateMetadata(
    selection: TaskSelection,
    fields: TaskMetadata,
    options?: ChangeOptions,
  ): Promise<TaskOperation>;
  addArtifacts(
    id: number | string,
    artifacts: readonly TaskArtifact[],
    options?: ChangeOptions,
  ): Promise<TaskOperation>;
  divide(id: number | string, division: TaskDivide, options?: ChangeOptions): Promise<TaskOperation>;
  /** Finished tasks only; "all" means all finished ones. */
  archive(selection: TaskSelection, options?: ChangeOptions): Promise<TaskOperation>;
  recover(selection: TaskSelection, options?: ChangeOptions): Promise<TaskOperation>;
  abandon(selection: TaskSelection, options?: ChangeOptions): Promise<TaskOperation>;
  sync(selection: TaskSelection, options?: ChangeOptions): Promise<TaskOperation>;
  importTasks(file: TaskImport, options?: ChangeOptions): Promise<TaskOperation>;
}

/** Opens the tasks of a project. Nothing is read or made before the first call. */
export function openTaskStore(options: TaskStoreOptions): TaskStore {
  const run = (operation: Operation, mode: ChangeOptions = {}): Promise<TaskOperation> =>
    runWith(options, operation, {
      dryRun: mode.dryRun ?? false,
      continueOnError: mode.continueOnError ?? false,
    });
  return {
    ...openTaskReader(options),
    refresh: async (mode) => run((await import("./operations/sync-tasks.ts")).refreshTasks, mode),
    create: async (task, mode) => run((await import("./operations/create-tasks.ts")).createTask(task), mode),
    ...updates(run),
    divide: async (id, division, mode) =>
      run((await import("./operations/divide-task.ts")).divideTask(id, division), mode),
    archive: async (selection, mode) =>
      run((await import("./operations/move-tasks.ts")).archiveTasks(selection), mode),
    recover: async (selection, mode) =>
      run((await import("./operations/move-tasks.ts")).recoverTasks(selection), mode),
    abandon: async (selection, mode) =>
      run((await import("./operations/move-tasks.ts")).abandonTasks(selection, mode?.reason), mode),
    sync: async (selection, mode) =>
      run((await import("./operations/sync-tasks.ts")).syncTasks(selection), mode),
    importTasks: async (file, mode) =>
      run((await import("./operations/import-tasks.ts")).importTasks(file), mode),
  };
}

type Run = (operation: Operation, mode?: ChangeOptions) => Promise<TaskOperation>;

function updates(run: Run): Pick<TaskStore, "change" | "updateStatus" | "updateMetadata" | "addArtifacts"> {
  return {
    change: async (id, change, mode) =>
      run((await updating()).updateTasks("update_status", id, change), mode),
    updateStatus: async (selection, status, mode) =>
      run((await updating()).updateTasks("update_status", selection, { status }), mode),
    updateMetadata: async (selection, metadata, mode) =>
      run((await updating()).updateTasks("update_task_metadata", selection, { metadata }), mode),
    addArtifacts: async (id, artifacts, mode) =>
      run((await updating()).updateTasks("link_artifacts", id, { artifacts }), mode),
  };
}

function updating() {
  return import("./operations/update-tasks.ts");
}

/** The lock brings a database with it, which a reader must not wait for. */
async function runWith(
  options: TaskStoreOptions,
  operation: Operation,
  mode: OperationMode,
): Promise<TaskOperation> {
  const { runOperation } = await import("./applying/run-operation.ts");
  const { clock, journal, gitDates, effects = diskEffects } = options;
  return runOperation({ place: findPlace(options), clock, journal, gitDates, effects }, operation, mode);
}
