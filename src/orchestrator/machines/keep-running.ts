interface KeepParts {
  readonly everyMs: number;
  readonly listRunning: () => readonly string[];
  /** Keeps the work of one attempt where other machines find it. Must not throw. */
  readonly keep: (id: string) => Promise<unknown>;
}

/** Keeps the work of running agents at intervals: if a machine is lost, only the newest edits are lost with it. */
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

  /** If a round still waits for the hub, the next round does not join it. */
  #begin(): void {
    this.#round ??= this.#keepAll().finally(() => (this.#round = undefined));
  }

  async #keepAll(): Promise<void> {
    for (const id of this.#parts.listRunning()) await this.#parts.keep(id);
  }
}
