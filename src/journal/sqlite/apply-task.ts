import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Database } from "./database.ts";

type TaskChange = Extract<JournalEvent, { type: "task-changed" }>;

/** Named fields change, null removes a field, all others stay. */
export function applyTask(database: Database, { seq, data }: TaskChange): void {
  database.run(
    `INSERT INTO tasks (id, seq, fields) VALUES (?, ?, json_patch('{}', ?))
       ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, fields = json_patch(fields, ?)`,
    [data.taskId, seq, JSON.stringify(data.fields), JSON.stringify(data.fields)],
  );
  if (data.changeId !== undefined)
    database.run("INSERT INTO task_changes (change, seq) VALUES (?, ?) ON CONFLICT (change) DO NOTHING", [
      data.changeId,
      seq,
    ]);
}

/** Whether the journal already has this change of the task store. */
export function isKnownChange(database: Database, changeId: string | undefined): boolean {
  if (changeId === undefined) return false;
  return database.row("SELECT seq FROM task_changes WHERE change = ?", [changeId]) !== undefined;
}
