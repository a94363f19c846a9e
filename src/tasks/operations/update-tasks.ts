import { posix } from "node:path";
import { canMoveTask, type TaskStatus, taskTransitions } from "../../contract/task-status.ts";
import { taskErrors } from "../../errors/tasks.ts";
import { parseMarker } from "../model/markers.ts";
import { keyOf } from "../merging/take-from-todo.ts";
import type { Draft } from "../planning/draft.ts";
import { type Fields, isRecord } from "../model/fields.ts";
import { artifactsOf, textOf, viewTask } from "../model/view-task.ts";
import type { TaskArtifact, TaskMetadata, TaskSelection } from "../model/stored-task.ts";
import type { TaskFailure, TaskOperationName } from "../model/task-operation.ts";
import { checkFields, extraProblem, isFailure } from "./check-fields.ts";
import { countTasks, failure, type Operation } from "./outcome.ts";
import { selectTasks } from "./select-tasks.ts";

export interface TaskUpdateFields {
  readonly status?: string;
  readonly metadata?: TaskMetadata;
  readonly artifacts?: readonly TaskArtifact[];
}

/** Sets status, metadata and links of the selected tasks. What is so already is not written again. */
export function updateTasks(
  name: TaskOperationName,
  selection: TaskSelection,
  update: TaskUpdateFields,
): Operation {
  const status = update.status === undefined ? undefined : readStatus(update.status);
  return {
    name,
    plan: (draft) => {
      const selected = selectTasks(selection, (id) => draft.active(id) !== undefined);
      const ids = selected === "all" ? draft.activeIds() : selected;
      const failures = ids.flatMap((id) => updateOne(draft, id, { ...update, status }) ?? []);
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

/** The task that is named, or why nothing can be done with it. */
export function activeTask(draft: Draft, id: string): Fields | TaskFailure {
  const raw = draft.active(id);
  if (raw !== undefined) return raw;
  if (draft.archived(id) === undefined) {
    const advice = "ambit task list shows the tasks; nothing was changed.";
    return failure(id, "TASK_NOT_FOUND", [`Task ${id} not found in TODO.md`, advice]);
  }
  const advice = `Bring it back first: ambit task recover ${id}`;
  return failure(id, "TASK_NOT_FOUND", [`Task ${id} is in the archive`, advice]);
}

export function isRefused(value: Fields | TaskFailure): value is TaskFailure {
  return typeof value["code"] === "string" && typeof value["taskId"] === "string";
}

function readStatus(text: string): TaskStatus {
  const status = parseMarker(text);
  if (status === undefined) throw taskErrors.statusUnknown(text, "asked for");
  return status;
}

interface CheckedUpdate extends Omit<TaskUpdateFields, "status"> {
  readonly status: TaskStatus | undefined;
}

function updateOne(draft: Draft, id: string, update: CheckedUpdate): TaskFailure | undefined {
  const raw = activeTask(draft, id);
  if (isRefused(raw)) return raw;
  const { extra = {}, ...plain } = update.metadata ?? {};
  const fields = checkFields(draft, id, plain);
  if (isFailure(fields)) return fields;
  const refusal =
    extraProblem(id, extra) ??
    statusProblem(id, raw, update.status) ??
    artifactProblem(id, update.artifacts ?? []);
  if (refusal !== undefined) return refusal;
  const wanted = new Map<string, unknown>(
    Object.entries(fields).map(([key, value]) => [renamed(draft, id, key), value]),
  );
  for (const [key, value] of Object.entries(extra)) wanted.set(key, value ?? undefined);
  if (update.status !== undefined) wanted.set("status", update.status);
  const added = newArtifacts(raw, update.artifacts ?? []);
  if (added.length > 0) wanted.set("artifacts", [...listOf(raw["artifacts"]), ...added]);
  setAll(draft, id, wanted);
  draft.edit(id).links.push(...added);
  return undefined;
}

/** Writes what differs, and the time only where something does. */
function setAll(draft: Draft, id: string, wanted: ReadonlyMap<string, unknown>): void {
  const raw = draft.active(id) ?? {};
  const changed = [...wanted].filter(([key, value]) => JSON.stringify(raw[key]) !== JSON.stringify(value));
  if (changed.length === 0) return;
  for (const [key, value] of changed) {
    draft.set(id, key, value);
    const field = trackedName(key);
    if (field !== undefined) draft.show(id, field);
  }
  draft.set(id, "last_updated", draft.now);
  draft.changes.push({
    taskId: id,
    kind: "changed",
    source: "store",
    fields: Object.fromEntries(changed.map(([key, value]) => [journalName(key), value ?? null])),
    before: Object.fromEntries(
      changed.flatMap(([key]) => (raw[key] === undefined ? [] : [[journalName(key), raw[key]]])),
    ),
  });
}

function renamed(draft: Draft, id: string, key: string): string {
  return key === "language" ? keyOf(draft, id, "language") : key;
}

function journalName(key: string): string {
  return key === "task_type" ? "language" : key;
}

const tracked = ["title", "status", "language", "priority", "effort", "dependencies", "description"] as const;

function trackedName(key: string): (typeof tracked)[number] | undefined {
  return tracked.find((name) => name === journalName(key));
}

function statusProblem(id: string, raw: Fields, to: TaskStatus | undefined): TaskFailure | undefined {
  if (to === undefined) return undefined;
  const { status: from } = viewTask({ id, raw, archived: false });
  if (from !== "unknown" && !canMoveTask(from, to)) return illegal(id, from, to);
  return to === "completed" && from !== "completed" ? criterionProblem(id, raw) : undefined;
}

function illegal(id: string, from: TaskStatus, to: TaskStatus): TaskFailure {
  const ways = taskTransitions[from].map((status) => status.replaceAll("_", " "));
  const advice =
    ways.length === 0 ? "It stays as it is; create a new task." : `It can become ${ways.join(", ")}.`;
  return failure(id, "ILLEGAL_TRANSITION", [
    `Task ${id} is ${from.replaceAll("_", " ")} and cannot become ${to.replaceAll("_", " ")}`,
    advice,
  ]);
}

/** A task completes only when no required criterion is undecided or failed; no sentence changes that. */
function criterionProblem(id: string, raw: Fields): TaskFailure | undefined {
  for (const criterion of listOf(raw["criteria"])) {
    if (!isRecord(criterion) || criterion["required"] === false) continue;
    const verdict = textOf(criterion, "verdict");
    // Without a verdict it is a wish in words, which the work that was delegated for it has to meet.
    if (verdict === "" || verdict === "passed" || verdict === "waived") continue;
    const name = textOf(criterion, "text") || textOf(criterion, "id");
    const [code, state] =
      verdict === "failed" ? ["CRITERION_FAILED", "failed"] : ["CRITERION_UNVERIFIED", "is not decided"];
    const evidence = textOf(criterion, "evidence");
    return failure(id, code, [
      `Task ${id} cannot be completed: criterion "${name}" ${state}${evidence === "" ? "" : ` (${evidence})`}`,
      "Make it pass, or decide it, then complete the task.",
    ]);
  }
  return undefined;
}

function artifactProblem(id: string, artifacts: readonly TaskArtifact[]): TaskFailure | undefined {
  for (const { path } of artifacts) {
    const plain = posix.normalize(path);
    const isInside = path !== "" && !posix.isAbsolute(plain) && plain !== ".." && !plain.startsWith("../");
    if (isInside && !/[\r\n\0]/.test(path)) continue;
    const code = posix.isAbsolute(plain) ? "ARTIFACT_PATH_ABSOLUTE" : "ARTIFACT_PATH_ESCAPES";
    return failure(id, code, [
      `The artifact ${JSON.stringify(path)} of task ${id} is no path inside the project`,
      "Give it relative to the project's root.",
    ]);
  }
  return undefined;
}

function newArtifacts(raw: Fields, artifacts: readonly TaskArtifact[]): readonly TaskArtifact[] {
  const known = new Set(artifactsOf(raw).map(({ path }) => path));
  return artifacts.filter(({ path }) => !known.has(path));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
