import { journalEventSchema, type JournalEvent } from "../../contract/journal-event.ts";
import type { Database } from "./database.ts";
import { readHead } from "./read-head.ts";
import { readInteger, readText } from "./rows.ts";

type Listener = (event: JournalEvent) => void;

/** Calls listeners for every committed event, those of other processes included, in order and once each. */
export class Announcer {
  readonly #database: Database;
  readonly #listeners = new Set<Listener>();
  #seen = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  add(listener: Listener): () => void {
    if (this.#listeners.size === 0) this.#seen = readHead(this.#database).seq;
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  announce(): void {
    if (this.#listeners.size === 0) return;
    for (const row of this.#database.rows("SELECT seq, body FROM events WHERE seq > ? ORDER BY seq", [
      this.#seen,
    ])) {
      this.#seen = readInteger(row, "seq");
      const event = journalEventSchema.parse(JSON.parse(readText(row, "body")));
      for (const listener of this.#listeners) listener(event);
    }
  }
}
