import type { JournalEvent } from "../../contract/journal-event.ts";
import { totalTokens } from "../../contract/usage.ts";
import { settleLoan, bookSpending, type Account } from "../../ledger/budget-tree.ts";
import type { Database } from "./database.ts";
import { readAccounts } from "./rows.ts";

type EventOf<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>;

/** Books one report of use at the attempt's own delegation. */
export function applyUsage(database: Database, event: EventOf<"usage-reported">): void {
  const { data: usage, delegation: id } = event;
  if (id === null) return;
  const accounts = readAccounts(database, id);
  writeAccounts(database, id, {
    tokens: bookSpending(accounts.tokens, totalTokens(usage)),
    money: bookSpending(accounts.money, usage.microUsd),
  });
  database.run(
    `UPDATE delegations SET input_tokens = input_tokens + ?1, cached_tokens = cached_tokens + ?2,
       output_tokens = output_tokens + ?3, direct_micro = direct_micro + ?4,
       session_input = session_input + ?1, session_cached = session_cached + ?2,
       session_output = session_output + ?3, session_micro = session_micro + ?4,
       attempt_estimated = attempt_estimated | ?5, attempt_unpriced = attempt_unpriced + ?6 WHERE id = ?7`,
    [
      usage.inputTokens,
      usage.cachedTokens,
      usage.outputTokens,
      usage.microUsd,
      usage.source === "reported" ? 0 : 1,
      usage.source === "unpriced" ? totalTokens(usage) : 0,
      id,
    ],
  );
}

/**
 * An estimate is replaced once the agent has reported the same sum for the whole attempt. Attempts for which both are
 * known are added up, for comparison.
 */
export function applyAttemptEnd(database: Database, event: EventOf<"attempt-ended">): void {
  const { cost } = event.data;
  if (cost === undefined) return;
  const { bookedMicroUsd, reportedMicroUsd, estimatedMicroUsd } = cost;
  if (reportedMicroUsd === bookedMicroUsd)
    database.run("UPDATE delegations SET attempt_estimated = 0, attempt_unpriced = 0 WHERE id = ?", [
      event.delegation,
    ]);
  if (reportedMicroUsd === null || estimatedMicroUsd === null) return;
  database.run(
    `UPDATE delegations SET compared_reported = coalesce(compared_reported, 0) + ?,
       compared_estimated = coalesce(compared_estimated, 0) + ? WHERE id = ?`,
    [reportedMicroUsd, estimatedMicroUsd, event.delegation],
  );
}

/** Ends a delegation: the unused budget returns to its manager, and its use stays booked there. */
export function applyClosing(database: Database, event: EventOf<"delegation-closed">): void {
  const { data, delegation: id } = event;
  if (id === null) return;
  const closedMs = Date.parse(event.at);
  database.run(
    `UPDATE delegations SET outcome = ?, code = ?, summary = ?, closed_at = ?, closed_ms = ?,
       duration_ms = coalesce(?, max(0, ? - started_ms)),
       files_changed = CASE WHEN ? = '[]' THEN files_changed ELSE ? END WHERE id = ?`,
    [
      data.outcome,
      data.code,
      data.summary,
      event.at,
      closedMs,
      data.durationMs ?? null,
      closedMs,
      JSON.stringify(data.filesChanged),
      JSON.stringify(data.filesChanged),
      id,
    ],
  );
  const parent = database.text("SELECT parent AS value FROM delegations WHERE id = ?", [id]);
  if (parent === "") return;
  const worker = readAccounts(database, id);
  const manager = readAccounts(database, parent);
  writeAccounts(database, parent, {
    tokens: settleLoan(manager.tokens, worker.tokens),
    money: settleLoan(manager.money, worker.money),
  });
  database.run("UPDATE delegations SET open_workers = open_workers - 1 WHERE id = ?", [parent]);
}

function writeAccounts(database: Database, id: string, accounts: { tokens: Account; money: Account }): void {
  database.run(
    `UPDATE delegations SET lent_tokens = ?, spent_tokens = ?, lent_micro = ?, spent_micro = ? WHERE id = ?`,
    [accounts.tokens.lent, accounts.tokens.spent, accounts.money.lent, accounts.money.spent, id],
  );
}
