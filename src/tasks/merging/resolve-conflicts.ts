import { statSync } from "node:fs";
import { join } from "node:path";
import { findMemberValue, findProperty, parseJsonTree } from "../json/json-tree.ts";
import type { Draft } from "../planning/draft.ts";
import { ACTIVE } from "../files/state-file.ts";
import type { TaskConflict } from "../model/task-operation.ts";
import type { GitDates } from "../model/ports.ts";
import type { Disagreement } from "./merge-edits.ts";
import { chooseStateKey, takeFromTodo } from "./take-from-todo.ts";
import { findFieldLine } from "../markdown/todo-values.ts";

/** Decides each disagreement for the side that was committed later; an uncommitted line has the time of its file. */
export async function resolveConflicts(
  draft: Draft,
  disagreements: readonly Disagreement[],
  gitDates: GitDates | undefined,
): Promise<readonly TaskConflict[]> {
  if (disagreements.length === 0) return [];
  const { paths } = draft.sources.place;
  const stateLines = findStateLines(draft, disagreements);
  const todoLines = disagreements.map(({ entry, field }) => findFieldLine(entry, field));
  const stateTimes = await findChangeTimes(draft, { path: paths.state, lines: stateLines, gitDates });
  const todoTimes = await findChangeTimes(draft, { path: paths.todo, lines: todoLines, gitDates });
  return disagreements.map((disagreement, index) => {
    const timestampState = stateTimes[index] ?? "";
    const timestampTodo = todoTimes[index] ?? "";
    const { id, field, entry, stateValue, todoValue, tie } = disagreement;
    const later = Date.parse(timestampTodo) - Date.parse(timestampState);
    const isTodoLater = later > 0 || (later === 0 && tie === "TODO.md");
    if (isTodoLater) takeFromTodo(draft, { id, field, entry, isHandEdit: false });
    else draft.showInTodo(id, field);
    const winner = isTodoLater ? "TODO.md" : "state.json";
    return { taskId: id, field, winner, stateValue, todoValue, timestampState, timestampTodo };
  });
}

/** "Task 343: status from state.json (2026-01-07) > TODO.md (2026-01-06)" (R141). */
export function renderConflict({
  taskId,
  field,
  winner,
  timestampState,
  timestampTodo,
}: TaskConflict): string {
  const state = `state.json (${formatDay(timestampState)})`;
  const todo = `TODO.md (${formatDay(timestampTodo)})`;
  const [later, earlier] = winner === "state.json" ? [state, todo] : [todo, state];
  return `Task ${taskId}: ${field} from ${later} > ${earlier}`;
}

function formatDay(time: string): string {
  return time.slice(0, "2026-01-07".length);
}

interface TimeQuestion {
  readonly path: string;
  readonly lines: readonly number[];
  readonly gitDates: GitDates | undefined;
}

async function findChangeTimes(
  draft: Draft,
  { path, lines, gitDates }: TimeQuestion,
): Promise<readonly string[]> {
  const committed =
    gitDates === undefined ? new Map<number, string>() : await gitDates(path, [...new Set(lines)]);
  const changed = readFileTime(join(draft.sources.place.projectRoot, path)) ?? draft.now;
  return lines.map((line) => toUtcTime(committed.get(line)) ?? changed);
}

function readFileTime(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtime.toISOString();
}

/** Converts a time to UTC, so that times can be compared as text. */
function toUtcTime(time: string | undefined): string | undefined {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().replace(".000Z", "Z");
}

function findStateLines(draft: Draft, disagreements: readonly Disagreement[]): readonly number[] {
  const { texts, state, place } = draft.sources;
  const text = texts.state ?? "";
  const elements = findMemberValue(parseJsonTree(text, place.paths.state), ACTIVE)?.children ?? [];
  const order = new Map([...state.tasks.keys()].map((id, index) => [id, index]));
  return disagreements.map(({ id, field }) => {
    const element = elements[order.get(id) ?? -1];
    const { offset = 0 } = findProperty(element, chooseStateKey(draft, id, field)) ?? element ?? {};
    return text.slice(0, offset).split("\n").length;
  });
}
