import {
  canCreateTodo,
  canMoveTodo,
  checkTodos,
  migrateLegacyTodo,
  type TodoItem,
  type TodoProblem,
} from "../../contract/todo-item.ts";
import { lintCriteria } from "../../contract/criteria-lint.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import type { StoredTodo } from "../../journal/store.ts";
import type { TodoView } from "../../journal/todo-view.ts";

export interface TodoUpdate {
  /** Tasks as they came: a list, `{todos: […]}`, or either as JSON text. */
  readonly given: unknown;
  readonly known: readonly StoredTodo[];
  readonly views: readonly TodoView[];
  readonly nowMs: number;
}

/** The consequences of an update. With any problem, none of them is carried out. */
export interface TodoPlan {
  readonly problems: readonly TodoProblem[];
  readonly warnings: readonly string[];
  /** The changed tasks, in their new form. */
  readonly changed: readonly TodoItem[];
  /** The changed tasks that become delegations. */
  readonly handOut: readonly TodoItem[];
  /** Tasks that their manager takes back, which stops their workers (R190). */
  readonly recalled: readonly TodoView[];
  /** Tasks to complete that a worker did: their proof comes first. */
  readonly completing: readonly TodoView[];
  /** Tasks to complete that the manager did itself. */
  readonly ownWork: readonly TodoItem[];
}

export const MAX_TODOS = 200;

/** Pure: merges by id (R164), gives tasks without an id one (R166), and checks every move (R162). */
export function planUpdate(update: TodoUpdate): TodoPlan {
  const given = readGivenTodos(update.given);
  const migrated = given.map((todo, index) => migrateTodo(update, todo, index));
  const merged = migrated.map(({ todo }) => mergeKnownTodo(update.known, todo));
  const verdict = checkTodos(given.length === 0 ? update.given : merged);
  const judged = verdict.todos.map((item, index) => judgeMove(update, item, index));
  const tooMany = countProblem(update, verdict.todos);
  const changed = judged.filter(({ isChanged }) => isChanged).map(({ item }) => item);
  return {
    problems: [...verdict.problems, ...tooMany, ...judged.flatMap(({ problems }) => problems)],
    warnings: [
      ...migrated.flatMap(({ warning }) => (warning === undefined ? [] : [warning])),
      ...changed.flatMap(listVagueCriteria),
      ...judged.flatMap(({ warnings }) => warnings),
    ],
    changed,
    handOut: judged.filter(({ handsOut }) => handsOut).map(({ item }) => item),
    recalled: judged.flatMap(({ recalled }) => recalled),
    completing: judged.flatMap(({ completing }) => completing),
    ownWork: judged
      .filter(
        ({ item, isChanged, completing }) =>
          isChanged && item.status === "completed" && completing.length === 0,
      )
      .map(({ item }) => item),
  };
}

function readGivenTodos(given: unknown): readonly unknown[] {
  const value = typeof given === "string" ? parseJson(given) : given;
  const list = isRecord(value) ? value["todos"] : value;
  return Array.isArray(list) ? list : [];
}

/** A task that got an id before is recognised by its content, so that sending it again makes no second one. */
function migrateTodo({ known, nowMs }: TodoUpdate, todo: unknown, index: number) {
  const migrated = migrateLegacyTodo(todo, { index, timestamp: nowMs });
  if (migrated.warning === undefined || !isRecord(todo)) return migrated;
  const same = known.find(({ item }) => item.id.startsWith("migrated-") && item.content === todo["content"]);
  return same === undefined ? migrated : { todo: { ...todo, id: same.item.id }, warning: undefined };
}

/** Fields that are not sent again stay as they were. */
function mergeKnownTodo(known: readonly StoredTodo[], todo: unknown): unknown {
  if (!isRecord(todo)) return todo;
  const id = typeof todo["id"] === "number" ? String(todo["id"]) : todo["id"];
  const before = known.find(({ item }) => item.id === id)?.item;
  if (before === undefined) return todo;
  const said = Object.entries(todo).filter(([, value]) => value !== null && value !== undefined);
  const { blocked, ...kept } = before;
  // The reason for a block stays until the task moves or the update changes it.
  const stays = todo["status"] === undefined || todo["status"] === before.status;
  return { ...kept, ...(blocked !== undefined && stays ? { blocked } : {}), ...Object.fromEntries(said), id };
}

interface JudgedMove {
  readonly item: TodoItem;
  readonly isChanged: boolean;
  readonly handsOut: boolean;
  readonly problems: readonly TodoProblem[];
  readonly warnings: readonly string[];
  readonly recalled: readonly TodoView[];
  readonly completing: readonly TodoView[];
}

function judgeMove({ known, views }: TodoUpdate, given: TodoItem, index: number): JudgedMove {
  const before = known.find((todo) => todo.item.id === given.id)?.item;
  const view = views.find(({ id }) => id === given.id);
  const nothing = { problems: [], warnings: [], recalled: [], completing: [] };
  // A completed task is final; a repeated list does not change it.
  if (before?.status === "completed" && given.status === "completed")
    return { ...nothing, item: before, isChanged: false, handsOut: false };
  const item = withoutRuntimeFields(given, before);
  const isChanged = before === undefined || JSON.stringify(before) !== JSON.stringify(item);
  const move = { ...nothing, item, isChanged, handsOut: false };
  if (view === undefined || before === undefined) {
    if (!canCreateTodo(item.status)) return { ...move, problems: [describeBadStart(item, index)] };
    return { ...move, handsOut: item.status === "delegated" };
  }
  if (!canMoveTodo(view.status, item.status))
    return { ...move, problems: [describeBadMove(view, item, index)] };
  if (item.status === "delegated") return { ...move, ...judgeDelegated(view, item, { before, index }) };
  if (item.status === "completed" && view.status === "delegated") return { ...move, completing: [view] };
  const isWithWorker = view.worker !== null && view.worker.state !== "closed";
  return { ...move, recalled: isWithWorker ? [view] : [] };
}

/** The runtime knows which worker did it; a list cannot change that. */
function withoutRuntimeFields(given: TodoItem, before: TodoItem | undefined): TodoItem {
  const { delegate_session_id: _told, ...item } = given;
  const session = before?.delegate_session_id;
  return session === undefined ? item : { ...item, delegate_session_id: session };
}

/** Managers often send the whole list again, so only a changed task becomes a new delegation. */
function judgeDelegated(
  view: TodoView,
  item: TodoItem,
  { before, index }: { readonly before: TodoItem; readonly index: number },
): Pick<JudgedMove, "handsOut" | "problems" | "warnings"> {
  const { worker } = view;
  if (worker === null || view.status !== "delegated") return { handsOut: true, problems: [], warnings: [] };
  const isOther = !isSameWork(before, item);
  if (worker.state !== "closed")
    return {
      handsOut: false,
      problems: isOther ? [describeAlreadyDelegated(view, index)] : [],
      warnings: [],
    };
  if (worker.outcome === "completed" || !isOther)
    return { handsOut: false, problems: [], warnings: describeHandedBack(view) };
  return { handsOut: true, problems: [], warnings: [] };
}

function isSameWork(one: TodoItem, other: TodoItem): boolean {
  return (
    one.delegated_to === other.delegated_to &&
    one.content === other.content &&
    one.context === other.context &&
    JSON.stringify(one.acceptance_criteria) === JSON.stringify(other.acceptance_criteria)
  );
}

function describeHandedBack({ id, worker }: TodoView): readonly string[] {
  if (worker === null || worker.outcome === "completed") return [];
  return [
    `Task ${id} is yours again: ${worker.id} ended ${worker.outcome ?? ""}. Name another worker, or set it to pending and then to delegated, to hand it out again.`,
  ];
}

function describeBadStart({ id, status }: TodoItem, index: number): TodoProblem {
  const message = `Task ${id} cannot begin as ${status}; it begins as pending, in_progress or delegated`;
  return { code: "TASK_MOVE_REFUSED", message, index };
}

function describeBadMove({ id, status }: TodoView, item: TodoItem, index: number): TodoProblem {
  const message = `Task ${id} cannot go from ${status} to ${item.status}`;
  return { code: "TASK_MOVE_REFUSED", message, index };
}

function describeAlreadyDelegated({ id, worker }: TodoView, index: number): TodoProblem {
  const message = `Task ${id} is already with ${worker?.id ?? "a worker"}; set it to pending to take it back first`;
  return { code: "TASK_ALREADY_DELEGATED", message, index };
}

function listVagueCriteria({ id, acceptance_criteria: criteria = [] }: TodoItem): readonly string[] {
  return criteria.flatMap((text) => {
    const warning = lintCriteria(text);
    return warning === undefined ? [] : [`Task ${id}: ${warning.message}`];
  });
}

function countProblem({ known }: TodoUpdate, todos: readonly TodoItem[]): readonly TodoProblem[] {
  const ids = new Set([...known.map(({ item }) => item.id), ...todos.map(({ id }) => id)]);
  if (ids.size <= MAX_TODOS) return [];
  return [{ code: "TOO_LARGE", message: `The list would have ${ids.size} tasks; at most ${MAX_TODOS}` }];
}
