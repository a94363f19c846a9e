import { dropUndefined } from "../../base/json.ts";
import { safeText } from "../../base/safe-text.ts";
import { canMoveTask, type TaskStatus } from "../../contract/task-status.ts";
import { journalFields } from "../merging/record-imports.ts";
import type { Draft } from "../planning/draft.ts";
import type { Fields } from "../model/fields.ts";
import { viewTask } from "../model/view-task.ts";
import type { TaskSelection } from "../model/stored-task.ts";
import type { TaskFailure } from "../model/task-operation.ts";
import { countTasks, makeFailure, type Operation } from "./outcome.ts";
import { selectTasks } from "./select-tasks.ts";
import { findActiveTask, isTaskFailure } from "./update-tasks.ts";

/** Moves finished tasks to the archive; "all" means all finished ones. */
export function archiveTasks(selection: TaskSelection): Operation {
  return moveSelected("archive_tasks", selection, {
    candidates: (draft) => draft.listActiveIds().filter((id) => isFinished(readTaskStatus(draft, id))),
    move: (draft, id) => {
      const raw = findActiveTask(draft, id);
      if (isTaskFailure(raw)) return raw;
      const status = readTaskStatus(draft, id);
      if (!isFinished(status)) return refuseUnfinished(id, status);
      return archiveOneTask(draft, id, { reason: status });
    },
    summary: (count) => `Archived ${countTasks(count)}`,
  });
}

/** Archives tasks as abandoned (R137); `words` is the reason for people. */
export function abandonTasks(selection: TaskSelection, words?: string): Operation {
  return moveSelected("archive_tasks", selection, {
    candidates: (draft) => draft.listActiveIds().filter((id) => canAbandon(readTaskStatus(draft, id))),
    move: (draft, id) => {
      const raw = findActiveTask(draft, id);
      if (isTaskFailure(raw)) return raw;
      const status = readTaskStatus(draft, id);
      if (canAbandon(status))
        return archiveOneTask(draft, id, { reason: "abandoned", status: "abandoned", words });
      return makeFailure(id, "ILLEGAL_TRANSITION", [
        `Task ${id} is ${status.replaceAll("_", " ")} and cannot be abandoned`,
        `It is finished; archive it with ambit task archive ${id}.`,
      ]);
    },
    summary: (count) => `Abandoned ${countTasks(count)} to archive`,
  });
}

/** Brings tasks back from the archive; an abandoned task starts over as not started. */
export function recoverTasks(selection: TaskSelection): Operation {
  return moveSelected("unarchive_tasks", selection, {
    candidates: (draft) =>
      [...draft.sources.archive.tasks.keys()].filter((id) => draft.findActive(id) === undefined),
    move: recoverOneTask,
    summary: (count) => `Recovered ${countTasks(count)} from archive`,
  });
}

interface Move {
  readonly candidates: (draft: Draft) => readonly string[];
  readonly move: (draft: Draft, id: string) => TaskFailure | undefined;
  readonly summary: (count: number) => string;
}

function moveSelected(
  name: "archive_tasks" | "unarchive_tasks",
  selection: TaskSelection,
  { candidates, move, summary }: Move,
): Operation {
  return {
    name,
    plan: (draft) => {
      const isKnown = (id: string): boolean => (draft.findActive(id) ?? draft.findArchived(id)) !== undefined;
      const selected = selectTasks(selection, isKnown);
      const ids = selected === "all" ? candidates(draft) : selected;
      const failures = ids.flatMap((id) => move(draft, id) ?? []);
      const failed = new Set(failures.map(({ taskId }) => taskId));
      const succeeded = ids.filter((id) => !failed.has(id));
      return { taskIds: ids, succeeded, failures, summary: () => summary(succeeded.length) };
    },
  };
}

function readTaskStatus(draft: Draft, id: string): TaskStatus | "unknown" {
  return viewTask({ id, raw: draft.findActive(id) ?? {}, archived: false }).status;
}

function isFinished(status: TaskStatus | "unknown"): boolean {
  return status === "completed" || status === "abandoned" || status === "expanded";
}

function canAbandon(status: TaskStatus | "unknown"): boolean {
  return status === "unknown" || canMoveTask(status, "abandoned");
}

function refuseUnfinished(id: string, status: string): TaskFailure {
  return makeFailure(id, "ILLEGAL_TRANSITION", [
    `Task ${id} is ${status.replaceAll("_", " ")}; only finished tasks can be archived`,
    `Finish it, or abandon it with ambit task abandon ${id}`,
  ]);
}

interface ArchiveReason {
  readonly reason: string;
  readonly status?: string;
  readonly words?: string | undefined;
}

function archiveOneTask(draft: Draft, id: string, { reason, status, words = "" }: ArchiveReason): undefined {
  const said = safeText(words).trim();
  const before = draft.findActive(id)?.["status"];
  draft.archiveTask(id, {
    ...dropUndefined({ status }),
    last_updated: draft.now,
    archived: draft.now,
    archive_reason: reason,
    ...(said === "" ? {} : { abandoned_reason: said }),
  });
  draft.changes.push({
    taskId: id,
    kind: "archived",
    source: "store",
    fields: {
      archived: true,
      reason,
      ...dropUndefined({ status }),
      ...(said === "" ? {} : { abandoned_reason: said }),
    },
    before: dropUndefined({ status: before }),
  });
}

function recoverOneTask(draft: Draft, id: string): TaskFailure | undefined {
  if (draft.findActive(id) !== undefined) {
    return makeFailure(id, "DUPLICATE_ID", [
      `Task ${id} is already in the list`,
      "There is nothing to recover.",
    ]);
  }
  const raw = draft.sources.archive.tasks.get(id);
  if (raw === undefined) {
    const advice = "ambit task list --archived shows the archive; nothing was changed.";
    return makeFailure(id, "TASK_NOT_FOUND", [
      `Task ${id} is not in ${draft.sources.place.paths.archive}`,
      advice,
    ]);
  }
  const isAbandoned = viewTask({ id, raw, archived: true }).status === "abandoned";
  const fields: Fields = { ...(isAbandoned ? { status: "not_started" } : {}), last_updated: draft.now };
  const text = raw["todo_entry"];
  draft.recoverTask(id, fields, typeof text === "string" ? text : undefined);
  draft.changes.push({
    taskId: id,
    kind: "recovered",
    source: "store",
    fields: { ...journalFields({ ...raw, ...fields }), archived: false },
    before: { archived: true },
  });
  return undefined;
}
