import { safeText } from "../base/safe-text.ts";
import type { TodoView } from "./todo-view.ts";

/** One task in full, for whoever looks for what goes wrong (R176); plain text, fit for a terminal. */
export function todoLines(
  todo: TodoView,
  { ascii = false }: { readonly ascii?: boolean } = {},
): readonly string[] {
  const arrow = ascii ? "->" : "→";
  const { worker, blocked, criteria, context, resultSummary, delegatedTo } = todo;
  const facts: readonly (readonly [string, string])[] = [
    ["Delegated to", delegatedTo === null ? "" : `${delegatedTo}${worker === null ? "" : ` (${worker.id})`}`],
    ["Acceptance criteria", criteria.join(", ")],
    ["Context", context],
    ["Blocked", blocked ?? ""],
    ["Session", worker?.sessionId ?? ""],
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
    ...(resultSummary === "" ? [] : [safeText(`Result: ${resultSummary}`)]),
    ...(session === undefined || session[1] === "" ? [] : [line(session)]),
  ];
}
