import type { TodoItem, TodoStatus } from "../contract/todo-item.ts";
import type { DelegationState, Outcome } from "../contract/outcome.ts";
import type { Message, StoredTodo } from "./model/store-mail.ts";
import type { Delegation } from "./model/store.ts";

/** A checklist item with the state of its worker, as every surface shows it. */
export interface TodoView {
  /** The delegation whose checklist it is on. */
  readonly manager: string;
  readonly id: string;
  readonly content: string;
  readonly activeForm: string;
  readonly status: TodoStatus;
  readonly delegatedTo: string | null;
  readonly criteria: readonly string[];
  readonly context: string;
  readonly resultSummary: string;
  /** Why it cannot continue; null if nothing blocks it. */
  readonly blocked: string | null;
  /** The newest delegation that was made for it. */
  readonly worker: TodoWorker | null;
  readonly changedAt: string;
}

export interface TodoWorker {
  readonly id: string;
  readonly sessionId: string;
  readonly state: DelegationState;
  readonly outcome: Outcome | null;
  readonly code: string | null;
}

export interface TodoFacts {
  readonly todos: readonly StoredTodo[];
  /** All delegations of the story, in order of admission. */
  readonly delegations: readonly Delegation[];
  /** All messages of the story, oldest first. */
  readonly messages?: readonly Message[];
}

/** Joins each checklist item with the records of its worker; if both have a value, the worker's record counts. */
export function buildChecklist({ todos, delegations, messages = [] }: TodoFacts): readonly TodoView[] {
  const workers = new Map<string, Delegation>();
  for (const one of delegations)
    if (one.todo !== null && one.parent !== null) workers.set(buildTodoKey(one.parent, one.todo), one);
  return todos.map((todo) =>
    buildView(todo, workers.get(buildTodoKey(todo.manager, todo.item.id)), messages),
  );
}

function buildTodoKey(manager: string, todo: string): string {
  return `${manager}\n${todo}`;
}

function buildView(
  { manager, item, changedAt }: StoredTodo,
  worker: Delegation | undefined,
  messages: readonly Message[],
): TodoView {
  return {
    manager,
    id: item.id,
    content: item.content,
    activeForm: item.activeForm,
    // The manager may be killed between delegating and recording it: an open worker decides.
    status: worker !== undefined && worker.state !== "closed" ? "delegated" : item.status,
    delegatedTo: item.delegated_to ?? worker?.agent ?? null,
    criteria: item.acceptance_criteria ?? [],
    context: item.context ?? "",
    resultSummary: item.result_summary ?? (worker?.state === "closed" ? worker.summary : ""),
    blocked: whyBlocked(item, worker, messages),
    worker: worker === undefined ? null : describeWorker(worker),
    changedAt,
  };
}

function describeWorker({ id, sessionId, state, outcome, code }: Delegation): TodoWorker {
  return { id, sessionId, state, outcome, code };
}

function whyBlocked(
  item: TodoItem,
  worker: Delegation | undefined,
  messages: readonly Message[],
): string | null {
  if (item.status === "completed") return null;
  if (worker === undefined || item.status !== "delegated") return item.blocked?.reason ?? null;
  if (worker.state !== "closed") return lastBlocker(worker, messages) ?? item.blocked?.reason ?? null;
  if (worker.outcome === "completed") return null;
  return `${worker.id} ended ${worker.outcome ?? "open"}${worker.code === null ? "" : ` (${worker.code})`}`;
}

const standings: ReadonlySet<unknown> = new Set(["task_status", "task_progress", "task_completion"]);

/** The blocker from its last status message, if that message reports one. */
function lastBlocker({ id }: Delegation, messages: readonly Message[]): string | undefined {
  const last = messages.findLast(({ from, body }) => from === id && standings.has(body["type"]));
  const blocker = last?.body["type"] === "task_status" ? last.body["blocker"] : undefined;
  return typeof blocker === "string" ? blocker : undefined;
}

export type TodoDocument = ReturnType<typeof buildTodoDocument>;

/** The same for other programs, with the names of R161. */
export function buildTodoDocument(todo: TodoView) {
  const { worker, blocked } = todo;
  return {
    id: todo.id,
    manager: todo.manager,
    content: todo.content,
    activeForm: todo.activeForm,
    status: todo.status,
    acceptance_criteria: [...todo.criteria],
    delegated_to: todo.delegatedTo,
    context: todo.context === "" ? null : todo.context,
    delegation_id: worker?.id ?? null,
    delegate_session_id: worker?.sessionId ?? null,
    worker_state: worker?.state ?? null,
    outcome: worker?.outcome ?? null,
    code: worker?.code ?? null,
    result_summary: todo.resultSummary === "" ? null : todo.resultSummary,
    blocked: blocked === null ? null : { reason: blocked },
  };
}
