import type { MessageState } from "../../contract/message-state.ts";
import type { TodoItem } from "../../contract/todo-item.ts";

/** A message from one delegation to another, or to a person. */
export interface Message {
  readonly id: string;
  readonly story: string;
  /** A delegation, `person`, or `ambit` for the runtime itself. */
  readonly from: string;
  readonly to: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly state: MessageState;
  readonly sentAt: string;
}

/** Every field narrows the list; without any, all messages of the store are meant. */
export interface MessageQuery {
  readonly story?: string;
  readonly from?: string;
  readonly to?: string;
  readonly state?: MessageState;
  /** The number of newest messages to return, oldest first. */
  readonly limit: number;
}

/** A checklist item of a manager, as last recorded. */
export interface StoredTodo {
  /** The delegation whose checklist it is on. */
  readonly manager: string;
  readonly story: string;
  readonly item: TodoItem;
  readonly changedAt: string;
}

/** A task of the project, as the journal last recorded it. */
export interface TaskRecord {
  readonly id: string;
  /** The event that changed it last. */
  readonly seq: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface MailReader {
  messages(query: MessageQuery): Promise<readonly Message[]>;
  message(id: string): Promise<Message | undefined>;
  /** The checklists of one story, or of one manager, in the order their items were recorded. */
  todos(query: { readonly story: string } | { readonly manager: string }): Promise<readonly StoredTodo[]>;
  task(id: string): Promise<TaskRecord | undefined>;
  /** The most recently changed first. */
  tasks(limit: number): Promise<readonly TaskRecord[]>;
}
