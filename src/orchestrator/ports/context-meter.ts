/**
 * Knows how full the contexts of running agents are, from their reports about single requests. It keeps nothing beyond
 * the process.
 */
export class ContextMeter {
  readonly #tokens = new Map<string, number>();

  /** The newest request contains everything that its agent has in its context. */
  mark(id: string, tokens: number): void {
    this.#tokens.set(id, tokens);
  }

  /** 0 for an agent that has reported no single request. */
  read(id: string): number {
    return this.#tokens.get(id) ?? 0;
  }

  forget(id: string): void {
    this.#tokens.delete(id);
  }
}
