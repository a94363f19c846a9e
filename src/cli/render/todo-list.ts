import { safeText } from "../../base/safe-text.ts";
import { todoLines } from "../../journal/todo-lines.ts";
import type { TodoView } from "../../journal/todo-view.ts";
import { renderColumns } from "./columns.ts";
import type { Paint } from "./paint.ts";

export interface TodoListStyle {
  readonly ascii: boolean;
  /** Everything about each task, not one line. */
  readonly verbose: boolean;
  readonly paint: Paint;
}

/** The lists of a story's managers, one block each; the first line of a block says whose it is. */
export function renderTodoLists(todos: readonly TodoView[], style: TodoListStyle): string {
  const managers = [...new Set(todos.map(({ manager }) => manager))];
  return managers
    .map((manager) =>
      renderList(
        manager,
        todos.filter((todo) => todo.manager === manager),
        style,
      ),
    )
    .join("\n\n");
}

function renderList(manager: string, todos: readonly TodoView[], style: TodoListStyle): string {
  const finished = todos.filter(({ status }) => status === "completed").length;
  const heading = `${style.paint.bold(`Tasks of ${safeText(manager)}`)}  ${finished} of ${todos.length} completed`;
  if (style.verbose)
    return [
      heading,
      ...todos.map((todo) => todoLines(todo, { ascii: style.ascii }).map(indent).join("\n")),
    ].join("\n");
  const rows = todos.map((todo) => [
    `  ${todo.status}`,
    safeText(todo.id),
    safeText(todo.content),
    who(todo),
  ]);
  const reasons = new Map(todos.map(({ id, blocked }) => [id, blocked]));
  const lines = renderColumns(rows).split("\n");
  return [
    heading,
    ...lines.flatMap((line, index) => {
      const blocked = reasons.get(todos[index]?.id ?? "") ?? null;
      return blocked === null ? [line] : [line, style.paint.red(`    blocked: ${safeText(blocked)}`)];
    }),
  ].join("\n");
}

function indent(line: string): string {
  return `  ${line}`;
}

function who({ worker, delegatedTo }: TodoView): string {
  if (worker === null) return safeText(delegatedTo ?? "");
  return safeText(`${delegatedTo ?? ""} ${worker.id} ${worker.outcome ?? worker.state}`.trim());
}
