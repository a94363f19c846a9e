import { safeText } from "../../base/safe-text.ts";
import { formatTodoLines, type TodoDocument } from "../../app/todos.ts";
import { renderColumns } from "./columns.ts";
import type { Paint } from "../terminal/paint.ts";

export interface TodoListStyle {
  readonly ascii: boolean;
  /** Everything about each task, not one line. */
  readonly verbose: boolean;
  readonly paint: Paint;
}

/** The lists of a story's managers, one block each; the first line of a block says whose it is. */
export function renderTodoLists(todos: readonly TodoDocument[], style: TodoListStyle): string {
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

function renderList(manager: string, todos: readonly TodoDocument[], style: TodoListStyle): string {
  const finished = todos.filter(({ status }) => status === "completed").length;
  const heading = `${style.paint.bold(`Tasks of ${safeText(manager)}`)}  ${finished} of ${todos.length} completed`;
  if (style.verbose)
    return [
      heading,
      ...todos.map((todo) => formatTodoLines(todo, { ascii: style.ascii }).map(indent).join("\n")),
    ].join("\n");
  const rows = todos.map((todo) => [
    `  ${todo.status}`,
    safeText(todo.id),
    safeText(todo.content),
    renderWorker(todo),
  ]);
  const lines = renderColumns(rows).split("\n");
  return [
    heading,
    ...lines.flatMap((line, index) => {
      const reason = todos[index]?.blocked?.reason;
      return reason === undefined ? [line] : [line, style.paint.red(`    blocked: ${safeText(reason)}`)];
    }),
  ].join("\n");
}

function indent(line: string): string {
  return `  ${line}`;
}

function renderWorker({
  delegation_id: worker,
  delegated_to: agent,
  outcome,
  worker_state: state,
}: TodoDocument): string {
  if (worker === null) return safeText(agent ?? "");
  return safeText(`${agent ?? ""} ${worker} ${outcome ?? state ?? ""}`.trim());
}
