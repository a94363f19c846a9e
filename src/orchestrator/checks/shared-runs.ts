/** A run that several delegations wait for. It continues while one of them is left. */
interface SharedRun {
  readonly users: Set<string>;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** The running checks by their keys, so that each is run once, no matter how many delegations ask. */
export class SharedRuns {
  readonly #runs = new Map<string, SharedRun>();

  /** Joins the runs that cover these keys. Returns the keys that no run covers. */
  join(user: string, keys: readonly string[]): readonly string[] {
    return keys.filter((key) => {
      const run = this.#runs.get(key);
      if (run === undefined || run.abort.signal.aborted) return true;
      run.users.add(user);
      return false;
    });
  }

  /** Starts one run for these keys. It must not throw. */
  start(user: string, keys: readonly string[], work: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController();
    const ended = work(abort.signal).finally(() => {
      for (const key of keys) if (this.#runs.get(key) === run) this.#runs.delete(key);
    });
    const run: SharedRun = { users: new Set([user]), abort, ended };
    for (const key of keys) this.#runs.set(key, run);
  }

  /** Resolves when all runs that this user has joined or started are over. */
  async whenEnded(user: string): Promise<void> {
    await Promise.all(this.#listRuns((run) => run.users.has(user)));
  }

  /** Leaves the runs. A run without users is stopped. */
  leave(user: string): void {
    for (const { users, abort } of this.#runs.values())
      if (users.delete(user) && users.size === 0) abort.abort();
  }

  async stopAll(): Promise<void> {
    for (const { abort } of this.#runs.values()) abort.abort();
    await Promise.all(this.#listRuns(() => true));
  }

  #listRuns(isWanted: (run: SharedRun) => boolean): readonly Promise<void>[] {
    return [...new Set(this.#runs.values())].filter(isWanted).map(({ ended }) => ended);
  }
}
