import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { runWithoutAbort } from "../../base/task-abort.ts";

export interface BackgroundOptions {
  /** True while someone waits for an answer: starting a program would block us for a moment. */
  readonly isBusy: () => boolean;
  readonly onProblem: (error: unknown) => void;
}

const YIELD_MS = 10;
/** The limit is half a second; a request that takes longer is itself waiting for a program. */
const MAX_YIELDS = 50;

/** Runs work without a waiting caller: one piece at a time, and only while nothing is more urgent. */
export class BackgroundWork {
  readonly #options: BackgroundOptions;
  readonly #stop = new AbortController();
  readonly #timers = new Set<Promise<void>>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: BackgroundOptions) {
    this.#options = options;
    // Each waiting piece adds one listener.
    setMaxListeners(0, this.#stop.signal);
  }

  /** Aborted when no more work may begin. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  runLater(work: () => Promise<void>): void {
    this.#last = this.#runAfter(this.#last, work);
  }

  runLaterAfter(ms: number, work: () => Promise<void>): void {
    const timer = wait(ms, undefined, { signal: this.signal })
      .then(() => this.runLater(work))
      // The work was stopped: this piece is not done.
      .catch(() => undefined)
      .finally(() => this.#timers.delete(timer));
    this.#timers.add(timer);
  }

  /** Resolves when no work is left. */
  async settled(): Promise<void> {
    for (let seen: Promise<void> | undefined; seen !== this.#last || this.#timers.size > 0;) {
      seen = this.#last;
      await Promise.all([seen, ...this.#timers]);
    }
  }

  /** Finishes the current piece and begins no other. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.settled();
  }

  async #runAfter(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    await before;
    try {
      let yields = 0;
      do {
        await wait(YIELD_MS);
        yields += 1;
      } while (yields < MAX_YIELDS && this.#options.isBusy() && !this.signal.aborted);
      if (!this.signal.aborted) await runWithoutAbort(work);
    } catch (error) {
      this.#options.onProblem(error);
    }
  }
}
