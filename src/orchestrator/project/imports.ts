import { readErrorMessage } from "../../base/delegation-error.ts";
import { runWithAbort } from "../../base/task-abort.ts";
import { workspaceErrors } from "../../errors/workspace.ts";

/**
 * The time that an import has after a request to stop: enough for an ordinary import, and less than a person waits for.
 */
const MAX_HURRIED_MS = 3000;
/** A failure that took longer than this would take as long again. */
const MAX_REPEATED_MS = 30_000;

/**
 * The running imports of delegations' folders. A folder that could not be read is not read again: it would stop us a
 * second time. It is kept, and the next runtime or a person tries again.
 */
export class Imports {
  readonly #running = new Map<string, Set<AbortController>>();
  readonly #hurried = new Set<string>();
  readonly #givenUp = new Map<string, string>();
  #isHurriedWhole = false;

  async run<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const reason = this.#givenUp.get(id);
    if (reason !== undefined) throw workspaceErrors.importGivenUp(id, reason);
    const abort = new AbortController();
    const running = this.#running.get(id) ?? new Set();
    this.#running.set(id, running.add(abort));
    const startMs = performance.now();
    const timer = this.#isHurried(id) ? abortLater(abort) : undefined;
    try {
      return await runWithAbort(abort.signal, work);
    } catch (error) {
      const isSlow = performance.now() - startMs > MAX_REPEATED_MS;
      if (abort.signal.aborted ? this.#isHurried(id) : isSlow) this.#givenUp.set(id, readErrorMessage(error));
      throw error;
    } finally {
      clearTimeout(timer);
      running.delete(abort);
      if (running.size === 0) this.#running.delete(id);
    }
  }

  end(id: string): void {
    for (const abort of this.#running.get(id) ?? []) abort.abort();
  }

  hurry(id?: string): void {
    if (id === undefined) this.#isHurriedWhole = true;
    else this.#hurried.add(id);
    for (const one of id === undefined ? this.#running.keys() : [id])
      for (const abort of this.#running.get(one) ?? []) abortLater(abort);
  }

  allow(id: string): void {
    this.#hurried.delete(id);
    this.#givenUp.delete(id);
  }

  #isHurried(id: string): boolean {
    return this.#isHurriedWhole || this.#hurried.has(id);
  }
}

function abortLater(abort: AbortController): NodeJS.Timeout {
  return setTimeout(() => abort.abort(), MAX_HURRIED_MS).unref();
}
