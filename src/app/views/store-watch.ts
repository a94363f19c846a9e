import { watch, type FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";

/** Changes that come together are one. */
const SETTLE_MS = 20;
/** Where the system tells of changes, looking is only for file systems that forget to. */
const LOOK_MS = 3000;
const LOOK_OFTEN_MS = 400;

/** Wakes waiting readers when the store has changed, and does nothing while none waits. */
export class StoreWatch {
  readonly #folder: string;
  readonly #name: string;
  readonly #waiting = new Set<() => void>();
  #watcher: FSWatcher | undefined;
  #settling: NodeJS.Timeout | undefined;
  #listeners = 0;

  constructor(file: string) {
    this.#folder = dirname(file);
    this.#name = basename(file);
  }

  /** Somebody listens from now on; the answer ends it. */
  listen(): () => void {
    this.#listeners += 1;
    this.#open();
    return () => {
      this.#listeners -= 1;
      if (this.#listeners === 0) this.#close();
    };
  }

  /** Resolves after a change, a while without news, or an abort; whichever comes first. */
  changed(signal: AbortSignal, mostMs: number): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    this.#open();
    const lookMs = this.#watcher === undefined ? LOOK_OFTEN_MS : LOOK_MS;
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.max(0, Math.min(mostMs, lookMs)));
      signal.addEventListener("abort", wake);
      this.#waiting.add(wake);
    });
  }

  #open(): void {
    if (this.#watcher !== undefined || this.#listeners === 0) return;
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, (_kind, name) => {
        if (name === null || name.startsWith(this.#name)) this.#settle();
      });
      this.#watcher.on("error", () => this.#close());
    } catch {
      // The folder is not there yet, or there is nothing to watch it with: looking now and then does as well.
      this.#watcher = undefined;
    }
  }

  #settle(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      for (const wake of this.#waiting) wake();
    }, SETTLE_MS);
  }

  #close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    clearTimeout(this.#settling);
    this.#settling = undefined;
  }
}
