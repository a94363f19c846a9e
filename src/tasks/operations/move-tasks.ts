import { safeText } from "../../base/safe-text.ts";
import { canMoveTask, type TaskStatus } from "../../contract/task-status.ts";
import { journalFields } from "../merging/record-imports.ts";
import type { Draft } from "../planning/draft.ts";
import type { Fields } from "../model/fields.ts";
import { viewTask } from "../model/view-task.ts";
import type { TaskSelection } from "../model/stored-task.ts";
import type { TaskFailure } from "../model/task-operation.ts";
import { countTasks, failure, type Operation } from "./outcome.ts";
import { selectTasks } from "./select-tasks.ts";
import { activeTask, isRefused } from "./update-tasks.ts";

/** Moves finished tasks out of the list; "all" means all that are finished. */
export function archiveTasks(selection: TaskSelection): Operation {
  return moving("archive_tasks", selection, {
    candidates: (draft) => draft.activeIds().filter((id) => isFinished(statusOf(draft, id))),
    move: (draft, id) => {
      const raw = activeTask(draft, id);
      if (isRefused(raw)) return raw;
      const status = statusOf(draft, id);
      if (!isFinished(status)) return unfinished(id, status);
      return toArchive(draft, id, { reason: status });
    },
    summary: (count) => `Archived ${countTasks(count)}`,
  });
}

/** Gives tasks up: archived with that reason (R137); `words` say why to people. */
export function abandonTasks(selection: TaskSelection, words?: string): Operation {
  return moving("archive_tasks", selection, {
    candidates: (draft) => draft.activeIds().filter((id) => canAbandon(statusOf(draft, id))),
    move: (draft, id) => {
      const raw = activeTask(draft, id);
      if (isRefused(raw)) return raw;
      const status = statusOf(draft, id);
      if (canAbandon(status))
        return toArchive(draft, id, { reason: "abandoned", status: "abandoned", words });
      return failure(id, "ILLEGAL_TRANSITION", [
        `Task ${id} is ${status.replaceAll("_", " ")} and cannot be abandoned`,
        `It is finished: ambit task archive ${id} puts it away.`,
      ]);
    },
    summary: (count) => `Abandoned ${countTasks(count)} to archive`,
  });
}

/** Brings tasks back; one that was abandoned starts anew. */
export function recoverTasks(selection: TaskSelection): Operation {
  return moving("unarchive_tasks", selection, {
    candidates: (draft) =>
      [...draft.sources.archive.tasks.keys()].filter((id) => draft.active(id) === undefined),
    move: recoverOne,
    summary: (count) => `Recovered ${countTasks(count)} from archive`,
  });
}

interface Move {
  readonly candidates: (draft: Draft) => readonly string[];
  readonly move: (draft: Draft, id: string) => TaskFailure | undefined;
  readonly summary: (count: number) => string;
}

function moving(
  name: "archive_tasks" | "unarchive_tasks",
  selection: TaskSelection,
  { candidates, move, summary }: Move,
): Operation {
  return {
    name,
    plan: (draft) => {
      const isKnown = (id: string): boolean => (draft.active(id) ?? draft.archived(id)) !== undefined;
      const selected = selectTasks(selection, isKnown);
      const ids = selected === "all" ? candidates(draft) : selected;
      const failures = ids.flatMap((id) => move(draft, id) ?? []);
      const failed = new Set(failures.map(({ taskId }) => taskId));
      const succeeded = ids.filter((id) => !failed.has(id));
      return { taskIds: ids, succeeded, failures, summary: () => summary(succeeded.length) };
    },
  };
}

function statusOf(draft: Draft, id: string): TaskStatus | "unknown" {
  return viewTask({ id, raw: draft.active(id) ?? {}, archived: false }).status;
}

function isFinished(status: TaskStatus | "unknown"): boolean {
  return status === "completed" || status === "abandoned" || status === "expanded";
}

function canAbandon(status: TaskStatus | "unknown"): boolean {
  return status === "unknown" || canMoveTask(status, "abandoned");
}

function unfinished(id: string, status: string): TaskFailure {
  return failure(id, "ILLEGAL_TRANSITION", [
    `Task ${id} is ${status.replaceAll("_", " ")}; only finished tasks are archived`,
    `Finish it, or give it up: ambit task abandon ${id}`,
  ]);
}

interface ArchiveReason {
  readonly reason: string;
  readonly status?: string;
  readonly words?: string | undefined;
}

function toArchive(draft: Draft, id: string, { reason, status, words = "" }: ArchiveReason): undefined {
  const said = safeText(words).trim();
  const before = draft.active(id)?.["status"];
  draft.archive(id, {
    ...(status === undefined ? {} : { status }),
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
      ...(status === undefined ? {} : { status }),
      ...(said === "" ? {} : { abandoned_reason: said }),
    },
    before: before === undefined ? {} : { status: before },
  });
}

function recoverOne(draft: Draft, id: string): TaskFailure | undefined {
  if (draft.active(id) !== undefined) {
    return failure(id, "DUPLICATE_ID", [`Task ${id} is in the list already`, "Nothing has to be recovered."]);
  }
  const raw = draft.sources.archive.tasks.get(id);
  if (raw === undefined) {
    const advice = "ambit task list --archived shows what is in the archive; nothing was changed.";
    return failure(id, "TASK_NOT_FOUND", [
      `There is no task ${id} in ${draft.sources.place.paths.archive}`,
      advice,
    ]);
  }
  const isAbandoned = viewTask({ id, raw, archived: true }).status === "abandoned";
  const fields: Fields = { ...(isAbandoned ? { status: "not_started" } : {}), last_updated: draft.now };
  const text = raw["todo_entry"];
  draft.recover(id, fields, typeof text === "string" ? text : undefined);
  draft.changes.push({
    taskId: id,
    kind: "recovered",
    source: "store",
    fields: { ...journalFields({ ...raw, ...fields }), archived: false },
    before: { archived: true },
  });
  return undefined;
}
