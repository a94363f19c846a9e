import { posix } from "node:path";
import { canMoveTask, type TaskStatus, taskTransitions } from "../../contract/task-status.ts";
import { taskErrors } from "../../errors/tasks.ts";
import { parseMarker } from "../model/markers.ts";
import { chooseStateKey } from "../merging/take-from-todo.ts";
import type { Draft } from "../planning/draft.ts";
import { isRecord } from "../../base/json.ts";
import { type Fields, toList } from "../model/fields.ts";
import { type TrackedField, trackedFields } from "../model/tracked-fields.ts";
import { readArtifacts, readTextField, viewTask } from "../model/view-task.ts";
import type { TaskArtifact, TaskSelection, TaskUpdate } from "../model/stored-task.ts";
import type { TaskFailure, TaskOperationName } from "../model/task-operation.ts";
import { checkFields, checkExtraFields, isFailure } from "./check-fields.ts";
import { countTasks, makeFailure, type Operation } from "./outcome.ts";
import { selectTasks } from "./select-tasks.ts";

/** Sets status, metadata and links of the selected tasks. Values that do not change are not written. */
export function updateTasks(
  name: TaskOperationName,
  selection: TaskSelection,
  update: TaskUpdate,
): Operation {
  const status = update.status === undefined ? undefined : parseStatusOption(update.status);
  return {
    name,
    plan: (draft) => {
      const selected = selectTasks(selection, (id) => draft.findActive(id) !== undefined);
      const ids = selected === "all" ? draft.listActiveIds() : selected;
      const failures = ids.flatMap((id) => updateOneTask(draft, id, { ...update, status }) ?? []);
      const failed = new Set(failures.map(({ taskId }) => taskId));
      const succeeded = ids.filter((id) => !failed.has(id));
      const what = status === undefined ? "" : ` to ${status.replaceAll("_", " ")}`;
      return {
        taskIds: ids,
        succeeded,
        failures,
        summary: () => `Changed ${countTasks(succeeded.length)}${what}`,
      };
    },
  };
}

/** The fields of an active task, or the reason why it cannot be changed. */
export function findActiveTask(draft: Draft, id: string): Fields | TaskFailure {
  const raw = draft.findActive(id);
  if (raw !== undefined) return raw;
  if (draft.findArchived(id) === undefined) {
    const { todo, place } = draft.sources;
    if (todo?.entries.has(id) === true)
      return makeFailure(id, "TASK_NOT_FOUND", [
        `Task ${id} is in ${place.paths.todo}, but not in ${place.paths.state}`,
        `Import it first: ambit task sync ${id}`,
      ]);
    const advice = "ambit task list shows the tasks; nothing was changed.";
    return makeFailure(id, "TASK_NOT_FOUND", [`Task ${id} not found in TODO.md`, advice]);
  }
  const advice = `Bring it back first with ambit task recover ${id}`;
  return makeFailure(id, "TASK_NOT_FOUND", [`Task ${id} is in the archive`, advice]);
}

export function isTaskFailure(value: Fields | TaskFailure): value is TaskFailure {
  return typeof value["code"] === "string" && typeof value["taskId"] === "string";
}

function parseStatusOption(text: string): TaskStatus {
  const status = parseMarker(text);
  if (status === undefined) throw taskErrors.statusUnknown(text, "requested");
  return status;
}

interface CheckedUpdate extends Omit<TaskUpdate, "status"> {
  readonly status: TaskStatus | undefined;
}

function updateOneTask(draft: Draft, id: string, update: CheckedUpdate): TaskFailure | undefined {
  const raw = findActiveTask(draft, id);
  if (isTaskFailure(raw)) return raw;
  const { extra = {}, ...plain } = update.metadata ?? {};
  const fields = checkFields(draft, id, plain);
  if (isFailure(fields)) return fields;
  const refusal =
    checkExtraFields(id, extra) ??
    checkStatusChange(id, raw, update.status) ??
    checkArtifacts(id, update.artifacts ?? []);
  if (refusal !== undefined) return refusal;
  const wanted = new Map<string, unknown>(
    Object.entries(fields).map(([key, value]) => [chooseFieldKey(draft, id, key), value]),
  );
  for (const [key, value] of Object.entries(extra)) wanted.set(key, value ?? undefined);
  if (update.status !== undefined) wanted.set("status", update.status);
  const added = findNewArtifacts(raw, update.artifacts ?? []);
  if (added.length > 0) wanted.set("artifacts", [...toList(raw["artifacts"]), ...added]);
  setChangedFields(draft, id, wanted);
  draft.editTask(id).links.push(...added);
  return undefined;
}

/** Writes only fields that differ, and the time only if one does. */
function setChangedFields(draft: Draft, id: string, wanted: ReadonlyMap<string, unknown>): void {
  const raw = draft.findActive(id) ?? {};
  const changed = [...wanted].filter(([key, value]) => JSON.stringify(raw[key]) !== JSON.stringify(value));
  if (changed.length === 0) return;
  for (const [key, value] of changed) {
    draft.setField(id, key, value);
    const field = findTrackedField(key);
    if (field !== undefined) draft.showInTodo(id, field);
  }
  draft.setField(id, "last_updated", draft.now);
  draft.changes.push({
    taskId: id,
    kind: "changed",
    source: "store",
    fields: Object.fromEntries(changed.map(([key, value]) => [toJournalName(key), value ?? null])),
    before: Object.fromEntries(
      changed.flatMap(([key]) => (raw[key] === undefined ? [] : [[toJournalName(key), raw[key]]])),
    ),
  });
}

function chooseFieldKey(draft: Draft, id: string, key: string): string {
  return key === "language" ? chooseStateKey(draft, id, "language") : key;
}

function toJournalName(key: string): string {
  return key === "task_type" ? "language" : key;
}

function findTrackedField(key: string): TrackedField | undefined {
  return trackedFields.find((name) => name === toJournalName(key));
}

function checkStatusChange(id: string, raw: Fields, to: TaskStatus | undefined): TaskFailure | undefined {
  if (to === undefined) return undefined;
  const { status: from } = viewTask({ id, raw, archived: false });
  if (from !== "unknown" && !canMoveTask(from, to)) return refuseTransition(id, from, to);
  return to === "completed" && from !== "completed" ? checkCriteria(id, raw) : undefined;
}

function refuseTransition(id: string, from: TaskStatus, to: TaskStatus): TaskFailure {
  const ways = taskTransitions[from].map((status) => status.replaceAll("_", " "));
  const final =
    from === "expanded"
      ? `Work on its subtasks; ambit task show ${id} names them.`
      : "This status is final; create a new task.";
  const advice = ways.length === 0 ? final : `It can become ${ways.join(", ")}.`;
  return makeFailure(id, "ILLEGAL_TRANSITION", [
    `Task ${id} is ${from.replaceAll("_", " ")} and cannot become ${to.replaceAll("_", " ")}`,
    advice,
  ]);
}

/** A task can be completed only if no required criterion is undecided or failed. */
function checkCriteria(id: string, raw: Fields): TaskFailure | undefined {
  for (const criterion of toList(raw["criteria"])) {
    if (!isRecord(criterion) || criterion["required"] === false) continue;
    const verdict = readTextField(criterion, "verdict");
    // A criterion without a verdict is only text; the delegated work has to meet it.
    if (verdict === "" || verdict === "passed" || verdict === "waived") continue;
    const name = readTextField(criterion, "text") || readTextField(criterion, "id");
    const [code, state] =
      verdict === "failed" ? ["CRITERION_FAILED", "failed"] : ["CRITERION_UNVERIFIED", "is not decided"];
    const evidence = readTextField(criterion, "evidence");
    return makeFailure(id, code, [
      `Task ${id} cannot be completed: criterion "${name}" ${state}${evidence === "" ? "" : ` (${evidence})`}`,
      "Make it pass, or decide it; then complete the task.",
    ]);
  }
  return undefined;
}

function checkArtifacts(id: string, artifacts: readonly TaskArtifact[]): TaskFailure | undefined {
  for (const { path } of artifacts) {
    const plain = posix.normalize(path);
    const isInside = path !== "" && !posix.isAbsolute(plain) && plain !== ".." && !plain.startsWith("../");
    if (isInside && !/[\r\n\0]/.test(path)) continue;
    const code = posix.isAbsolute(plain) ? "ARTIFACT_PATH_ABSOLUTE" : "ARTIFACT_PATH_ESCAPES";
    return makeFailure(id, code, [
      `The artifact ${JSON.stringify(path)} of task ${id} is not a path inside the project`,
      "Write it relative to the project's root.",
    ]);
  }
  return undefined;
}

function findNewArtifacts(raw: Fields, artifacts: readonly TaskArtifact[]): readonly TaskArtifact[] {
  const known = new Set(readArtifacts(raw).map(({ path }) => path));
  return artifacts.filter(({ path }) => !known.has(path));
}
