export interface KeepParts {
  readonly everyMs: number;
  readonly listRunning: () => readonly string[];
  /** Keeps the work of one attempt where other machines find it. Must not throw. */
  readonly keep: (id: string) => Promise<unknown>;
}

/** Keeps the work of agents that still run, again and again: a machine that is lost takes only the newest edits with it. */
export class KeepRunning {
  readonly #parts: KeepParts;
  readonly #timer: NodeJS.Timeout;
  #round: Promise<void> | undefined;

  constructor(parts: KeepParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#begin(), parts.everyMs);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  /** A round that waits for the hub is not joined by the next one. */
  #begin(): void {
    this.#round ??= this.#keepAll().finally(() => (this.#round = undefined));
  }

  async #keepAll(): Promise<void> {
    for (const id of this.#parts.listRunning()) await this.#parts.keep(id);
  }
}
