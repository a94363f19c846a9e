import { isRecord } from "../../base/json.ts";
import { messageStates } from "../../contract/message-state.ts";
import type { TodoItem } from "../../contract/todo-item.ts";
import type { Message, MessageQuery, StoredTodo, TaskRecord } from "../model/store-mail.ts";
import type { Database, Row, Value } from "./database.ts";
import { readInteger, readChoice, readText } from "./rows.ts";

const columns = { story: "story", from: "sender", to: "recipient", state: "state" } as const;

export function readMessages(database: Database, query: MessageQuery): readonly Message[] {
  const { limit, ...wanted } = query;
  const given = Object.entries(columns).flatMap(([field, column]): [string, Value][] => {
    const value = Object.entries(wanted).find(([name]) => name === field)?.[1];
    return value === undefined ? [] : [[`${column} = ?`, value]];
  });
  const where = given.length === 0 ? "" : `WHERE ${given.map(([clause]) => clause).join(" AND ")}`;
  return database
    .rows(`SELECT * FROM messages ${where} ORDER BY seq DESC LIMIT ?`, [
      ...given.map(([, value]) => value),
      limit,
    ])
    .map(messageFromRow)
    .toReversed();
}

export function readMessage(database: Database, id: string): Message | undefined {
  const row = database.row("SELECT * FROM messages WHERE id = ?", [id]);
  return row === undefined ? undefined : messageFromRow(row);
}

export function readTodos(
  database: Database,
  query: { readonly story: string } | { readonly manager: string },
): readonly StoredTodo[] {
  const [column, value] = "story" in query ? ["story", query.story] : ["manager", query.manager];
  return database.rows(`SELECT * FROM todos WHERE ${column} = ? ORDER BY rowid`, [value]).map(todoFromRow);
}

export function readTask(database: Database, id: string): TaskRecord | undefined {
  const row = database.row("SELECT * FROM tasks WHERE id = ?", [id]);
  return row === undefined ? undefined : taskFromRow(row);
}

export function readTasks(database: Database, limit: number): readonly TaskRecord[] {
  return database.rows("SELECT * FROM tasks ORDER BY seq DESC LIMIT ?", [limit]).map(taskFromRow);
}

function taskFromRow(row: Row): TaskRecord {
  const fields: unknown = JSON.parse(readText(row, "fields"));
  return { id: readText(row, "id"), seq: readInteger(row, "seq"), fields: isRecord(fields) ? fields : {} };
}

function messageFromRow(row: Row): Message {
  const body: unknown = JSON.parse(readText(row, "body"));
  return {
    id: readText(row, "id"),
    story: readText(row, "story"),
    from: readText(row, "sender"),
    to: readText(row, "recipient"),
    body: isRecord(body) ? body : {},
    state: readChoice(messageStates, readText(row, "state")),
    sentAt: readText(row, "sent_at"),
  };
}

function todoFromRow(row: Row): StoredTodo {
  const item: unknown = JSON.parse(readText(row, "item"));
  if (!isTodo(item)) throw new TypeError("a stored task is not valid");
  return {
    manager: readText(row, "manager"),
    story: readText(row, "story"),
    item,
    changedAt: readText(row, "changed_at"),
  };
}

/** It was validated before it was hashed into the journal. */
function isTodo(value: unknown): value is TodoItem {
  return isRecord(value) && typeof value["id"] === "string" && typeof value["status"] === "string";
}
