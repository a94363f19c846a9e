import { canMoveTask } from "../../contract/task-status.ts";
import type { Draft } from "../planning/draft.ts";
import { normalizeId, normalizeIds, toWrittenId } from "../model/task-id.ts";
import { viewTask } from "../model/view-task.ts";
import type { NewSubtask, TaskDivide } from "../model/stored-task.ts";
import type { TaskFailure } from "../model/task-operation.ts";
import { addTaskToDraft } from "./create-tasks.ts";
import { countTasks, makeFailure, type Operation, type Outcome } from "./outcome.ts";
import { findActiveTask, isTaskFailure } from "./update-tasks.ts";

/** Divides a task into parts that it then waits for. If one part cannot be created, none is (R142). */
export function divideTask(task: number | string, division: TaskDivide): Operation {
  return {
    name: "divide_task",
    plan: (draft) => {
      const id = normalizeId(task) ?? String(task);
      const problem = checkParentTask(draft, id, division);
      if (problem !== undefined) return describeRefusal(id, problem, { created: [], division });
      const created: string[] = [];
      for (const [index, subtask] of division.subtasks.entries()) {
        const made = addSubtaskPart(draft, subtask, { parent: id, created, index });
        if (typeof made !== "string") return describeRefusal(id, made, { created, division });
        created.push(made);
      }
      finishParent(draft, id, created);
      return describeDivision(id, created, division);
    },
  };
}

function checkParentTask(draft: Draft, id: string, { subtasks }: TaskDivide): TaskFailure | undefined {
  const raw = findActiveTask(draft, id);
  if (isTaskFailure(raw)) return raw;
  if (subtasks.length === 0) {
    return makeFailure(id, "TASK_INVALID", [
      `Task ${id} cannot be divided into no parts`,
      "Name at least one part.",
    ]);
  }
  const { status } = viewTask({ id, raw, archived: false });
  if (status === "unknown" || canMoveTask(status, "expanded")) return undefined;
  return makeFailure(id, "ILLEGAL_TRANSITION", [
    `Task ${id} is ${status.replaceAll("_", " ")} and cannot be divided`,
    "Divide a task that is not finished, or create a new one.",
  ]);
}

interface Part {
  readonly parent: string;
  readonly created: readonly string[];
  readonly index: number;
}

function addSubtaskPart(
  draft: Draft,
  subtask: NewSubtask,
  { parent, created, index }: Part,
): string | TaskFailure {
  const { after = [], ...task } = subtask;
  const siblings = after.map((position) => created[position - 1]);
  const language =
    task.language ?? viewTask({ id: parent, raw: draft.findActive(parent) ?? {}, archived: false }).language;
  const made = siblings.includes(undefined)
    ? makeFailure(parent, "DEPENDENCY_UNKNOWN", [`part ${index + 1} must come after ${after.join(", ")}`, ""])
    : addTaskToDraft(
        draft,
        {
          ...task,
          language,
          parent,
          dependencies: [...(task.dependencies ?? []), ...siblings.filter((id) => id !== undefined)],
        },
        {},
      );
  if (typeof made === "string") return made;
  return makeFailure(parent, "SUBTASK_CREATION_FAILED", [
    `Failed to create subtask ${index + 1}: ${made.message}`,
    "Correct this part and divide the task again; nothing was changed.",
  ]);
}

/** The parent waits for its parts and gets no work of its own any more. */
function finishParent(draft: Draft, id: string, created: readonly string[]): void {
  const raw = draft.findActive(id) ?? {};
  const dependencies = [...new Set([...normalizeIds(raw["dependencies"]), ...created])];
  // Those of an earlier division stay; the new ones are linked already.
  const subtasks = normalizeIds(raw["subtasks"]);
  const before = {
    status: raw["status"] ?? "not_started",
    dependencies: normalizeIds(raw["dependencies"]),
    subtasks: subtasks.filter((one) => !created.includes(one)),
  };
  draft.setField(id, "status", "expanded");
  draft.setField(id, "dependencies", dependencies.map(toWrittenId));
  draft.setField(id, "last_updated", draft.now);
  draft.showInTodo(id, "status");
  draft.showInTodo(id, "dependencies");
  const fields = { status: "expanded", dependencies, subtasks };
  draft.changes.push({ taskId: id, kind: "changed", source: "store", fields, before });
}

function describeDivision(id: string, created: readonly string[], { prompt }: TaskDivide): Outcome {
  return {
    taskIds: [id],
    succeeded: [id, ...created],
    failures: [],
    summary: () => `Divided task ${id} into ${countTasks(created.length, "subtask")}`,
    division: { parent: id, subtasks: created, created: [], rolledBack: [], prompt },
  };
}

function describeRefusal(
  id: string,
  problem: TaskFailure,
  { created, division }: { readonly created: readonly string[]; readonly division: TaskDivide },
): Outcome {
  const undone = `rolled back ${countTasks(created.length, "created subtask")}`;
  return {
    taskIds: [id],
    succeeded: [],
    failures: [problem],
    summary: () => `Failed to divide task ${id}, ${undone}`,
    division: { parent: id, subtasks: [], created, rolledBack: created, prompt: division.prompt },
  };
}
