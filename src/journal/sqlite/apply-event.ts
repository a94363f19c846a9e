import { DelegationError } from "../../base/delegation-error.ts";
import { transitions } from "../../contract/delegation-state.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import { applyAdmission, applyStory } from "./apply-admission.ts";
import { applyClosing, applyUsage } from "./apply-ledger.ts";
import type { Database } from "./database.ts";

/**
 * Brings the projections from one event to the next. Depends on the event and the projections alone, never on
 * clock or environment, so that a replay gives the same rows.
 */
export function applyEvent(database: Database, event: JournalEvent): void {
  moveState(database, event);
  switch (event.type) {
    case "story-opened":
      return applyStory(database, event);
    case "delegation-admitted":
      return applyAdmission(database, event);
    case "delegation-refused":
      return applyRefusal(database, event);
    case "attempt-started":
      return applyStart(database, event);
    case "workspace-created":
      return set(database, event, { workspace_ms: event.data.durationMs });
    case "usage-reported":
      return applyUsage(database, event);
    case "context-measured":
      return set(database, event, { context_tokens: event.data.tokens });
    case "cancellation-requested":
      return set(database, event, { cancel_requested: 1 });
    case "delegation-returned":
      return set(database, event, { summary: event.data.summary });
    case "delegation-merged":
      return set(database, event, { files_changed: JSON.stringify(event.data.filesChanged) });
    case "delegation-closed":
      return applyClosing(database, event);
    case "message-sent":
      return applyMessage(database, event);
    case "message-marked":
      database.run("UPDATE messages SET state = ? WHERE id = ?", [event.data.state, event.data.messageId]);
      return;
    case "task-changed":
      return applyTask(database, event);
    // Facts for the audit trail that no projection needs.
    case "attempt-lost":
    case "attempt-retried":
    case "workspace-removed":
    case "limit-warned":
    case "delegation-parked":
    case "delegation-resumed":
    case "return-rejected":
    case "delegation-verified":
    case "late-return-ignored":
    case "note-added":
      return;
  }
}

type EventOf<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>;

function moveState(database: Database, event: JournalEvent): void {
  const transition = transitions[event.type];
  if (transition === undefined || event.delegation === null) return;
  const from = transition.from.map((state) => `'${state}'`).join(", ");
  const moved = database.run(`UPDATE delegations SET state = ? WHERE id = ? AND state IN (${from})`, [
    transition.to,
    event.delegation,
  ]);
  if (moved === 1) return;
  throw illegal(
    event,
    database.text("SELECT state AS value FROM delegations WHERE id = ?", [event.delegation]),
  );
}

function illegal(event: JournalEvent, state: string): DelegationError {
  return new DelegationError({
    code: "ILLEGAL_TRANSITION",
    message: `${event.type} does not apply to ${event.delegation ?? event.story}, which is ${state || "unknown"}.`,
    recommendation: "Nothing was changed. Look at its history with ambit audit.",
  });
}

function applyStart(database: Database, event: EventOf<"attempt-started">): void {
  database.run(
    `UPDATE delegations SET attempt = ?, execution_id = ?,
       started_at = coalesce(started_at, ?), started_ms = coalesce(started_ms, ?) WHERE id = ?`,
    [event.attempt, event.data.executionId, event.at, Date.parse(event.at), event.delegation],
  );
}

function applyRefusal(database: Database, event: EventOf<"delegation-refused">): void {
  const codes = JSON.stringify(event.data.failures.map((failure) => failure.code));
  database.run(
    "INSERT INTO refusals (seq, story, parent, description, codes, at) VALUES (?, ?, ?, ?, ?, ?)",
    [event.seq, event.story, event.data.parent, event.data.description, codes, event.at],
  );
}

function applyMessage(database: Database, event: EventOf<"message-sent">): void {
  const { messageId, from, to, body } = event.data;
  database.run(
    "INSERT INTO messages (id, seq, story, sender, recipient, body, state) VALUES (?, ?, ?, ?, ?, ?, 'pending')",
    [messageId, event.seq, event.story, from, to, JSON.stringify(body)],
  );
}

function applyTask(database: Database, event: EventOf<"task-changed">): void {
  database.run(
    `INSERT INTO tasks (id, seq, fields) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, fields = json_patch(fields, excluded.fields)`,
    [event.data.taskId, event.seq, JSON.stringify(event.data.fields)],
  );
}

function set(
  database: Database,
  event: JournalEvent,
  column: Readonly<Record<string, string | number>>,
): void {
  const [[name, value] = ["", ""]] = Object.entries(column);
  database.run(`UPDATE delegations SET ${name} = ? WHERE id = ?`, [value, event.delegation]);
}
