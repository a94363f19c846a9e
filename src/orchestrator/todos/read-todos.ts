import type { Delegation, StoredTodo } from "../../journal/store.ts";
import { buildChecklist, type TodoView } from "../../journal/todo-view.ts";
import { quoteAsData } from "../delegation/data-block.ts";
import type { RunTools } from "../ports/run-tools.ts";

const MAX_MESSAGES = 1000;

export interface TodoList {
  readonly known: readonly StoredTodo[];
  readonly views: readonly TodoView[];
}

/** A manager's own list, with the progress of each task. */
export async function readTodoList(tools: RunTools, { id, story }: Delegation): Promise<TodoList> {
  const known = await tools.store.todos({ manager: id });
  if (known.length === 0) return { known, views: [] };
  const delegations = await tools.store.storyTree(story);
  const messages = await tools.store.messages({ story, limit: MAX_MESSAGES });
  return { known, views: buildChecklist({ todos: known, delegations, messages }) };
}

/** The list for every later turn's prompt: a new session may not know it (R165). */
export async function describeTodos(tools: RunTools, manager: Delegation): Promise<readonly string[]> {
  const { views } = await readTodoList(tools, manager);
  if (views.length === 0) return [];
  const list = views.map(describeTodo).join("\n");
  return [`Your task list (change it with task_update):\n${quoteAsData("task list", list)}`];
}

const MAX_RESULT_LENGTH = 200;

function describeTodo({
  id,
  status,
  content,
  delegatedTo,
  worker,
  blocked,
  resultSummary,
}: TodoView): string {
  const who = worker === null ? "" : `, ${worker.id}${delegatedTo === null ? "" : ` (${delegatedTo})`}`;
  const ended = worker?.outcome === null || worker === null ? "" : ` ended ${worker.outcome}`;
  const why = blocked === null ? "" : `; blocked: ${blocked}`;
  const result = resultSummary === "" ? "" : `; result: ${resultSummary.slice(0, MAX_RESULT_LENGTH)}`;
  return `- [${status}] ${id}: ${content}${who}${ended}${why}${result}`;
}
