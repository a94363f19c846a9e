import type { Clock } from "../../base/clock.ts";
import { createSessionId } from "../../base/ids.ts";
import type { Database } from "./database.ts";

/**
 * Creates an id and compares it with every other in the transaction that registers it: no two delegations share a
 * session.
 */
export function newSessionId(tools: { readonly database: Database; readonly clock: Clock }): string {
  for (;;) {
    const id = createSessionId(tools.clock);
    const taken = tools.database.row("SELECT 1 AS taken FROM delegations WHERE session_id = ?", [id]);
    if (taken === undefined) return id;
  }
}
