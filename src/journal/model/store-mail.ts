import type { MessageState } from "../../contract/message-state.ts";
import type { TodoItem } from "../../contract/todo-item.ts";

/** What one delegation told another, or a person. */
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
  /** The newest so many, oldest first. */
  readonly limit: number;
}

/** A task of a manager's list, as it was last written down. */
export interface StoredTodo {
  /** The delegation whose list it is on. */
  readonly manager: string;
  readonly story: string;
  readonly item: TodoItem;
  readonly changedAt: string;
}

/** A task of the project as the journal last heard of it. */
export interface TaskRecord {
  readonly id: string;
  /** Of the event that changed it last. */
  readonly seq: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface MailReader {
  messages(query: MessageQuery): Promise<readonly Message[]>;
  message(id: string): Promise<Message | undefined>;
  /** The lists of one story, or of one manager, in the order their tasks were written down. */
  todos(query: { readonly story: string } | { readonly manager: string }): Promise<readonly StoredTodo[]>;
  task(id: string): Promise<TaskRecord | undefined>;
  /** Those that changed last come first. */
  tasks(limit: number): Promise<readonly TaskRecord[]>;
}
