import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Database } from "./database.ts";

type EventOf<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>;

/** A message that is sent again under its id is the same message. */
export function applyMessage(
  database: Database,
  event: EventOf<"message-sent"> | EventOf<"message-marked">,
): void {
  if (event.type === "message-marked") {
    const { state, messageId } = event.data;
    database.run("UPDATE messages SET state = ?, told_in = ? WHERE id = ?", [
      state,
      event.attempt,
      messageId,
    ]);
    return;
  }
  const { messageId, from, to, body } = event.data;
  insertMessage(database, event, { id: messageId, from, to, body });
}

interface NewMessage {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly body: object;
}

function insertMessage(database: Database, event: JournalEvent, { id, from, to, body }: NewMessage): void {
  database.run(
    `INSERT INTO messages (id, seq, story, sender, recipient, body, state, sent_at)
       VALUES (?, ?, ?, ?, ?, ?, 'pending', ?) ON CONFLICT (id) DO NOTHING`,
    [id, event.seq, event.story, from, to, JSON.stringify(body), event.at],
  );
}

/** Delegating a checklist item is the assignment, and its end the completion: both appear in the mailbox (R173). */
export function applyAssignment(database: Database, event: EventOf<"delegation-admitted">): void {
  const { todo, parent, description, criteria, work } = event.data;
  if (todo === undefined || event.delegation === null) return;
  const context = work?.context ?? "";
  insertMessage(database, event, {
    id: `${event.delegation}-assignment`,
    from: parent,
    to: event.delegation,
    body: {
      type: "task_assignment",
      task_id: todo,
      content: description,
      acceptance_criteria: criteria,
      ...(context === "" ? {} : { context }),
    },
  });
}

export function applyCompletion(database: Database, event: EventOf<"delegation-closed">): void {
  const row = database.row("SELECT todo, parent FROM delegations WHERE id = ?", [event.delegation]);
  const [todo, parent] = [row?.get("todo"), row?.get("parent")];
  if (typeof todo !== "string" || typeof parent !== "string" || event.delegation === null) return;
  const { outcome, code, summary, filesChanged } = event.data;
  insertMessage(database, event, {
    id: `${event.delegation}-completion`,
    from: event.delegation,
    to: parent,
    body: {
      type: "task_completion",
      task_id: todo,
      status: outcome,
      result_summary: summary,
      files_modified: filesChanged,
      ...(code === null ? {} : { code }),
    },
  });
}

/** A lost attempt may not have read its messages, so the next one gets them again. */
export function tellAgain(database: Database, event: JournalEvent): void {
  database.run(
    "UPDATE messages SET state = 'pending' WHERE recipient = ? AND state = 'delivered' AND told_in = ?",
    [event.delegation, event.attempt],
  );
}

/** Each item replaces the one with its id; new items come last. */
export function applyTodos(database: Database, event: EventOf<"todos-updated">): void {
  for (const todo of event.data.todos)
    database.run(
      `INSERT INTO todos (manager, id, seq, story, item, changed_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (manager, id)
         DO UPDATE SET seq = excluded.seq, item = excluded.item, changed_at = excluded.changed_at`,
      [event.delegation ?? event.story, todo.id, event.seq, event.story, JSON.stringify(todo), event.at],
    );
}
