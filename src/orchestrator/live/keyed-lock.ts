/** Runs tasks with the same key one after the other, in the order they arrived. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  runInOrder<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(task);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.#tails.set(key, tail);
    void tail.finally(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }

  /** Keys with a task that runs or waits. */
  listBusyKeys(): readonly string[] {
    return [...this.#tails.keys()];
  }

  /** Resolves when no task is left. */
  async whenIdle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
