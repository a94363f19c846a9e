import { statSync } from "node:fs";
import { openReader } from "../../journal/open-reader.ts";
import type { StoreReader } from "../../journal/store.ts";

/**
 * The store of the project, opened for reading when there is one, and opened again when somebody has put another in its
 * place. Nothing here ever writes.
 */
export class ProjectStore {
  readonly file: string;
  #reader: StoreReader | undefined;
  #identity = "";
  #generation = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** Grows whenever the numbers of events start again from 1. */
  get generation(): number {
    this.reader();
    return this.#generation;
  }

  /** Undefined while nothing was ever stored. */
  reader(): StoreReader | undefined {
    const identity = readIdentity(this.file);
    if (this.#reader !== undefined && identity === this.#identity) return this.#reader;
    if (this.#reader !== undefined) {
      this.#generation += 1;
      this.close();
    }
    this.#identity = identity;
    this.#reader = openReader(this.file);
    return this.#reader;
  }

  close(): void {
    void this.#reader?.close();
    this.#reader = undefined;
  }
}

function readIdentity(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev}:${stat.ino}`;
}
