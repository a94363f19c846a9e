import type { DelegationError } from "../base/delegation-error.ts";
import type { ErrorCode } from "../contract/error-code.ts";
import { taskStatuses } from "../contract/task-status.ts";
import { makeError } from "./make-error.ts";

const MEGABYTE = 1024 * 1024;

/** The task store and its files. */
export const taskErrors = {
  fileBroken: (path: string, problem: string): DelegationError =>
    makeError({
      code: "TASK_FILE_BROKEN",
      message: `${path} cannot be used: ${problem}`,
      advice: `Correct ${path}, or restore it with git checkout -- ${path}; nothing was changed.`,
    }),
  fileOutside: (path: string, target: string): DelegationError =>
    makeError({
      code: "TASK_FILE_BROKEN",
      message: `${path} leads out of the project, to ${target}`,
      advice: "Put the file itself into the project, or set tasks.dir to another folder.",
    }),
  fileInConflict: (path: string, line: number): DelegationError =>
    makeError({
      code: "TASK_FILE_CONFLICT",
      message: `${path} has merge conflict markers from line ${line}`,
      advice: `Resolve the conflict in ${path}, then run the command again; nothing was changed.`,
    }),
  fileTooLarge: (path: string, size: number, limit: number): DelegationError =>
    makeError({
      code: "TASK_FILE_TOO_LARGE",
      message: `${path} has ${Math.ceil(size / MEGABYTE)} MB; the limit is ${limit / MEGABYTE} MB`,
      advice: `Find out what has grown in ${path}, or restore it from git; nothing was changed.`,
    }),
  duplicateId: (path: string, id: string, lines?: readonly [number, number]): DelegationError =>
    makeError({
      code: "DUPLICATE_ID",
      message:
        lines === undefined
          ? `${path} has task ${id} more than once`
          : `${path} has task ${id} twice, in lines ${lines[0]} and ${lines[1]}`,
      advice: "Give one of them another number, or remove it; nothing was changed.",
    }),
  statusUnknown: (value: string, where: string): DelegationError =>
    makeError({
      code: "TASK_STATUS_UNKNOWN",
      message: `"${value}" is not a task status (${where})`,
      advice: `Write one of: ${taskStatuses.join(", ")}. Nothing was changed.`,
    }),
  selectionInvalid: (code: ErrorCode, message: string): DelegationError =>
    makeError({
      code,
      message,
      advice: 'Name tasks as 343, as 343-345, 337, or as "all". Nothing was changed.',
    }),
  tooManyRemoved: (facts: {
    readonly todo: string;
    readonly state: string;
    readonly count: number;
    readonly removed: readonly string[];
  }): DelegationError =>
    makeError({
      code: "STATUS_SYNC_FAILED",
      message: `${facts.todo} lacks ${facts.removed.length} of the ${facts.count} tasks of ${facts.state}, ${facts.removed.slice(0, 5).join(", ")} and more`,
      advice: `Restore ${facts.todo} from git or from your editor; to have it written again, delete the file. Nothing was changed.`,
    }),
  storeLocked: (file: string, waitedMs: number): DelegationError =>
    makeError({
      code: "STORE_BUSY",
      message: `Another process has been changing the tasks for ${waitedMs / 1000} s (lock ${file})`,
      advice: "Wait for it, or end it, then run the command again; nothing was changed.",
      recoverable: true,
    }),
  filesKeepChanging: (todo: string, state: string, attempts: number): DelegationError =>
    makeError({
      code: "STORE_BUSY",
      message: `Another program changed ${todo} or ${state} ${attempts} times in a row`,
      advice: "Stop the program that writes it, then run the command again; nothing was changed.",
      recoverable: true,
    }),
  journalNeeded: (intent: string): DelegationError =>
    makeError({
      code: "STORE_UNUSABLE",
      message: `A change of tasks is unfinished (${intent}), and the journal that must record it is not open`,
      advice: "Run any ambit task command that changes something; it finishes the change first.",
      recoverable: true,
    }),
};
