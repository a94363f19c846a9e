import { safeText } from "../base/safe-text.ts";
import type { TodoDocument } from "./todo-view.ts";

/** One checklist item in full, for debugging (R176); plain text, fit for a terminal. */
export function formatTodoLines(
  todo: TodoDocument,
  { ascii = false }: { readonly ascii?: boolean } = {},
): readonly string[] {
  const arrow = ascii ? "->" : "→";
  const { delegation_id: worker, delegated_to: agent, blocked, context, result_summary: summary } = todo;
  const facts: readonly (readonly [string, string])[] = [
    ["Delegated to", agent === null ? "" : `${agent}${worker === null ? "" : ` (${worker})`}`],
    ["Acceptance criteria", todo.acceptance_criteria.join(", ")],
    ["Context", context ?? ""],
    ["Blocked", blocked?.reason ?? ""],
    ["Session", todo.delegate_session_id ?? ""],
  ];
  const [session, ...shown] = facts.toReversed();
  const line = ([name, value]: readonly [string, string]): string =>
    `   ${arrow} ${name}: ${safeText(value)}`;
  return [
    safeText(`Task: ${todo.id} - ${todo.content} [${todo.status}]`),
    ...shown
      .toReversed()
      .filter(([, value]) => value !== "")
      .map(line),
    ...(summary === null ? [] : [safeText(`Result: ${summary}`)]),
    ...(session === undefined || session[1] === "" ? [] : [line(session)]),
  ];
}
