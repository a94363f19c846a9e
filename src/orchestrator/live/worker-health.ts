/** When each worker that runs was last heard of: by a line it wrote, or by a call it made (R193). */
export class WorkerHealth {
  readonly #heardMs = new Map<string, number>();

  heard(id: string, nowMs: number): void {
    this.#heardMs.set(id, nowMs);
  }

  forget(id: string): void {
    this.#heardMs.delete(id);
  }

  /** Undefined for one that does not run now. */
  silentMs(id: string, nowMs: number): number | undefined {
    const heard = this.#heardMs.get(id);
    return heard === undefined ? undefined : Math.max(0, nowMs - heard);
  }
}
