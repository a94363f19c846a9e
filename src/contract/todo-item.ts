import * as z from "zod";
import { isRecord, parseJson } from "../base/json.ts";
import { filledText, lenientNumber, nullsAbsent } from "./lenient.ts";
import { prioritySchema } from "./priority.ts";

export const todoStatuses = ["pending", "in_progress", "delegated", "completed"] as const;
export type TodoStatus = (typeof todoStatuses)[number];

/** Ids are text; a plain number is read as its text (C37). */
const todoId = z.preprocess(
  (value) => (Number.isSafeInteger(value) ? String(value) : value),
  filledText.describe("Stable and speaking, for example fix-oauth-token-refresh"),
);

/** One item of a manager's checklist (R161). `checkTodos` also checks what a delegated item needs. */
export const todoItemSchema = nullsAbsent(
  z.object({
    id: todoId,
    content: filledText.describe("What to do: Fix the login"),
    activeForm: filledText.describe("What is being done: Fixing the login"),
    status: z.enum(todoStatuses),
    acceptance_criteria: z.array(filledText).optional(),
    delegated_to: z.string().optional(),
    context: z.string().optional(),
    delegate_session_id: z.string().optional(),
    result_summary: z.string().optional(),
    blocked: z.object({ reason: filledText }).optional(),
    priority: prioritySchema.optional().describe("Which delegated task starts first"),
    timeout_seconds: lenientNumber(z.int().min(1)).optional().describe("The worker's deadline"),
    file_scope: z.array(filledText).optional().describe("Globs the worker may change"),
    depends_on: z.array(filledText).optional().describe("Delegations it waits for"),
  }),
);

export type TodoItem = z.infer<typeof todoItemSchema>;

export interface TodoProblem {
  readonly code: string;
  readonly message: string;
  /** Position in the list; absent when the list itself is the problem. */
  readonly index?: number;
}

export interface TodosVerdict {
  readonly valid: boolean;
  readonly codes: readonly string[];
  readonly problems: readonly TodoProblem[];
  /** The items, when all of them are valid. */
  readonly todos: readonly TodoItem[];
}

/** Checks a checklist, bare or as `{todos: […]}`, as a value or as JSON text; reports every problem. */
export function checkTodos(value: unknown): TodosVerdict {
  const list = readList(value);
  if (!isList(list)) return buildVerdict([], [list]);
  const readings = list.map((item, index) => checkTodo(item, index));
  const problems = [...readings.flatMap((reading) => reading.problems), ...findDuplicates(list)];
  return buildVerdict(
    readings.flatMap((reading) => reading.todos),
    problems,
  );
}

const moves: Readonly<Record<TodoStatus, readonly TodoStatus[]>> = {
  pending: ["in_progress", "delegated"],
  in_progress: ["completed", "delegated"],
  // Recalling a delegation gives the item back to its manager (C36).
  delegated: ["completed", "in_progress", "pending"],
  completed: [],
};

/** The transition table of R162 and C36. Keeping a status is always allowed, because whole lists are sent again. */
export function canMoveTodo(from: TodoStatus, to: TodoStatus): boolean {
  return from === to || moves[from].includes(to);
}

/** A new item may start in any state but the final one (C36). */
export function canCreateTodo(status: TodoStatus): boolean {
  return moves[status].length > 0;
}

export interface MigratedTodo {
  readonly todo: unknown;
  readonly warning?: string;
}

/** Gives an item from before ids were required the id `migrated-{index}-{timestamp}`, with a warning (R166). */
export function migrateLegacyTodo(todo: unknown, place: { index: number; timestamp: number }): MigratedTodo {
  if (!isRecord(todo) || !isEmpty(todo["id"])) return { todo };
  const id = `migrated-${place.index}-${place.timestamp}`;
  const content = typeof todo["content"] === "string" ? todo["content"] : "";
  return {
    todo: { ...todo, id },
    warning: `[Session State] Migrating task without ID: "${content}" → ${id}`,
  };
}

function buildVerdict(todos: readonly TodoItem[], problems: readonly TodoProblem[]): TodosVerdict {
  const codes = [...new Set(problems.map((problem) => problem.code))];
  const valid = problems.length === 0;
  return { valid, codes, problems, todos: valid ? todos : [] };
}

function readList(value: unknown): readonly unknown[] | TodoProblem {
  const data = typeof value === "string" ? parseJson(value) : value;
  if (data === undefined && typeof value === "string")
    return { code: "NOT_JSON", message: "The task list is not valid JSON" };
  const list = isRecord(data) ? data["todos"] : data;
  if (isList(list)) return list;
  return { code: "NOT_AN_ARRAY", message: "Tasks must be a list, or an object with a list named todos" };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

interface TodoReading {
  readonly todos: readonly TodoItem[];
  readonly problems: readonly TodoProblem[];
}

function checkTodo(item: unknown, index: number): TodoReading {
  if (!isRecord(item)) {
    return {
      todos: [],
      problems: [{ code: "NOT_AN_OBJECT", message: `Task ${index} is not an object`, index }],
    };
  }
  const result = todoItemSchema.safeParse(item);
  const issues = result.success ? [] : result.error.issues;
  const problems = [
    ...checkDelegated(item, index),
    ...issues.map((issue) => nameProblem(item, issue, index)),
  ];
  // One code per task and field is enough, and the delegated fields keep their own text.
  const distinct = new Map(problems.toReversed().map((problem) => [problem.code, problem]));
  return { todos: result.success ? [result.data] : [], problems: [...distinct.values()] };
}

/** Checked on the raw task, so that it is reported together with every other problem (R163). */
function checkDelegated(item: Readonly<Record<string, unknown>>, index: number): readonly TodoProblem[] {
  if (item["status"] !== "delegated") return [];
  const message = "Tasks with status 'delegated' must have 'acceptance_criteria' and 'delegated_to' fields";
  return ["acceptance_criteria", "delegated_to"]
    .filter((field) => isEmpty(item[field]))
    .map((field) => ({ code: `MISSING:${field}`, message, index }));
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function nameProblem(
  item: Readonly<Record<string, unknown>>,
  issue: SchemaIssue,
  index: number,
): TodoProblem {
  const field = String(issue.path[0]);
  if (isEmpty(item[field])) {
    return { code: `MISSING:${field}`, message: `Task ${index} needs a non-empty ${field}`, index };
  }
  const code = field === "status" ? "INVALID_STATUS" : `INVALID_FIELD:${field}`;
  return { code, message: `Task ${index}: ${field}: ${issue.message}`, index };
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  if (isList(value)) return value.every(isEmpty);
  return value === undefined || value === null;
}

function findDuplicates(list: readonly unknown[]): readonly TodoProblem[] {
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const id = isRecord(item) ? todoId.safeParse(item["id"]).data : undefined;
    if (id === undefined) return [];
    if (seen.has(id))
      return [{ code: "DUPLICATE_ID", message: `Task ${index}: id ${id} is used twice`, index }];
    seen.add(id);
    return [];
  });
}
