import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../base/clock.ts";
import { syncFolder, writeFileAtomically } from "../base/files.ts";
import type { OperationMode } from "./applying/run-operation.ts";
import type { Operation } from "./operations/outcome.ts";
import type { GitDates, TaskEffects, TaskJournal } from "./model/ports.ts";
import { openTaskReader, type TaskReader, type TaskReaderOptions } from "./read-tasks.ts";
import { locateTaskFiles } from "./files/place.ts";
import type {
  NewTask,
  TaskArtifact,
  TaskDivide,
  TaskImport,
  TaskMetadata,
  TaskSelection,
  TaskUpdate,
} from "./model/stored-task.ts";
import type { TaskOperation } from "./model/task-operation.ts";

export const diskEffects: TaskEffects = {
  write: (file, text) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileAtomically(file, text, { mode: 0o666, isInPlace: true, isDurable: true });
  },
  move: (from, to) => {
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
    syncFolder(dirname(to));
    syncFolder(dirname(from));
  },
  remove: (file) => {
    rmSync(file, { force: true });
    syncFolder(dirname(file));
  },
};

export type { GitDates, TaskEffects, TaskJournal } from "./model/ports.ts";
export type { TaskUpdate } from "./model/stored-task.ts";

export interface TaskStoreOptions extends TaskReaderOptions {
  readonly clock: Clock;
  readonly journal?: TaskJournal;
  readonly gitDates?: GitDates;
  readonly effects?: TaskEffects;
}

export interface ChangeOptions {
  /** Only plan; write nothing. */
  readonly dryRun?: boolean;
  /** Change the tasks that can be changed instead of all or none (C24). */
  readonly continueOnError?: boolean;
  /** The reason in a person's words; `abandon` stores it. */
  readonly reason?: string;
}

/**
 * The task list of a project: `state.json` is the truth, `TODO.md` its readable half (C22). Reads take no lock. Every
 * change is planned, then applied under one lock: to all files and the journal or to none, even after a SIGKILL. It
 * imports hand edits of the files first.
 */
export interface TaskStore extends TaskReader {
  /** Finishes the change of a killed process and imports hand edits; changes nothing else. */
  refresh(options?: ChangeOptions): Promise<TaskOperation>;
  create(task: NewTask, options?: ChangeOptions): Promise<TaskOperation>;
  /** Changes status, metadata and links of one task at once; repeating it writes nothing. */
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
  /** Archives finished tasks only; "all" means all finished ones. */
  archive(selection: TaskSelection, options?: ChangeOptions): Promise<TaskOperation>;
  recover(selection: TaskSelection, options?: ChangeOptions): Promise<TaskOperation>;
  abandon(selection: TaskSelection, options?: ChangeOptions): Promise<TaskOperation>;
  sync(selection: TaskSelection, options?: ChangeOptions): Promise<TaskOperation>;
  importTasks(file: TaskImport, options?: ChangeOptions): Promise<TaskOperation>;
}

/** Opens the tasks of a project. It reads and writes nothing before the first call. */
export function openTaskStore(options: TaskStoreOptions): TaskStore {
  const run = (operation: Operation, mode: ChangeOptions = {}): Promise<TaskOperation> =>
    runStoreOperation(options, operation, {
      dryRun: mode.dryRun ?? false,
      continueOnError: mode.continueOnError ?? false,
    });
  return {
    ...openTaskReader(options),
    refresh: async (mode) => run((await import("./operations/sync-tasks.ts")).refreshTasks, mode),
    create: async (task, mode) => run((await import("./operations/create-tasks.ts")).createTask(task), mode),
    ...buildUpdates(run),
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

function buildUpdates(
  run: Run,
): Pick<TaskStore, "change" | "updateStatus" | "updateMetadata" | "addArtifacts"> {
  return {
    change: async (id, change, mode) =>
      run((await importUpdates()).updateTasks("update_status", id, change), mode),
    updateStatus: async (selection, status, mode) =>
      run((await importUpdates()).updateTasks("update_status", selection, { status }), mode),
    updateMetadata: async (selection, metadata, mode) =>
      run((await importUpdates()).updateTasks("update_task_metadata", selection, { metadata }), mode),
    addArtifacts: async (id, artifacts, mode) =>
      run((await importUpdates()).updateTasks("link_artifacts", id, { artifacts }), mode),
  };
}

function importUpdates() {
  return import("./operations/update-tasks.ts");
}

/** Loaded on demand: the lock loads a database driver that readers should not wait for. */
async function runStoreOperation(
  options: TaskStoreOptions,
  operation: Operation,
  mode: OperationMode,
): Promise<TaskOperation> {
  const { runOperation } = await import("./applying/run-operation.ts");
  const { clock, journal, gitDates, effects = diskEffects } = options;
  return runOperation(
    { place: locateTaskFiles(options), clock, journal, gitDates, effects },
    operation,
    mode,
  );
}
