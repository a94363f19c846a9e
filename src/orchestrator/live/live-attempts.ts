import { randomBase36 } from "../../base/ids.ts";
import type { Delegation } from "../../journal/store.ts";
import { RateGate } from "../../scheduler/rate-gate.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { OutsideWindows } from "./outside-windows.ts";
import { Waiters } from "./waiters.ts";

/** The reason why the runtime ends an attempt. `fenced`: its lease has not been confirmed for too long. */
export type StopReason =
  | "budget"
  | "unmetered"
  | "own-agents"
  | "turns"
  | "loop"
  | "cancelled"
  | "replaced"
  | "fenced";

/** A worker in one of its attempts. */
export interface Caller {
  readonly id: string;
  readonly attempt: number;
}

interface Live {
  readonly token: string;
  readonly attempt: number;
  stop: ((reason: StopReason) => void) | undefined;
  /** A stop that was requested before there was a process. */
  wanted: StopReason | undefined;
}

/** The tools have a gate of their own if several machines share it. */
interface RatesHost {
  readonly tools: { readonly rates?: RateGate };
}

const TOKEN_LENGTH = 32;

/** The attempts whose processes this runtime owns. A token is the only thing that identifies a worker. */
export class LiveAttempts {
  readonly health = new WorkerHealth();
  readonly outside = new OutsideWindows();
  readonly #rates = new RateGate();
  readonly #host: RatesHost | undefined;
  readonly #live = new Map<string, Live>();
  readonly #helpers = new Map<string, () => void>();
  readonly #calls = new KeyedLock();
  readonly #left = new Waiters<void>();
  readonly #onLeave: (id: string) => void;
  /** A stop that was requested of all attempts, including those that are still being prepared. */
  #wantedOfAll: StopReason | undefined;

  /** Calls `onLeave` for every process that has ended: its slot is free while its work is still being kept. */
  constructor(onLeave: (id: string) => void = () => undefined, host?: RatesHost) {
    this.#onLeave = onLeave;
    this.#host = host;
  }

  /** Gates are closed by running attempts for waiting jobs; in a cluster also by attempts on other machines. */
  get rates(): RateGate {
    return this.#host?.tools.rates ?? this.#rates;
  }

  registerAttempt({ id, attempt }: Delegation): string {
    const token = randomBase36(TOKEN_LENGTH);
    this.#live.set(id, { token, attempt, stop: undefined, wanted: undefined });
    return token;
  }

  registerProcess(id: string, stopAttempt: (reason: StopReason) => void): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    live.stop = stopAttempt;
    const wanted = live.wanted ?? this.#wantedOfAll;
    if (wanted !== undefined) stopAttempt(wanted);
  }

  /** Called when its process has ended: no further call of it begins. Resolves when the running call has ended. */
  async removeAttempt(id: string): Promise<void> {
    this.#live.delete(id);
    this.health.forgetWorker(id);
    this.#onLeave(id);
    this.#left.resolveAll(id, undefined);
    await this.#calls.runInOrder(id, () => Promise.resolve());
  }

  /** Runs part of a worker's call, one at a time and only while its process runs; otherwise returns undefined. */
  runWhileLive<Result>({ id, attempt }: Caller, task: () => Promise<Result>): Promise<Result | undefined> {
    return this.#calls.runInOrder(id, async () =>
      this.#live.get(id)?.attempt === attempt ? task() : undefined,
    );
  }

  /** Resolves when the process that runs now has ended. */
  whenLeft(id: string): Promise<void> {
    return this.#live.has(id) ? this.#left.waitFor(id) : Promise.resolve();
  }

  /**
   * Registers a process of an attempt whose agent has ended, such as a tool it asked for. Returns a function that forgets
   * it.
   */
  registerHelper(id: string, stopHelper: () => void): () => void {
    this.#helpers.set(id, stopHelper);
    if (this.#wantedOfAll !== undefined) stopHelper();
    return () => this.#helpers.delete(id);
  }

  stop(id: string, reason: StopReason): void {
    this.#helpers.get(id)?.();
    const live = this.#live.get(id);
    if (live === undefined) return;
    live.wanted = reason;
    live.stop?.(reason);
  }

  stopAll(reason: StopReason): void {
    this.#wantedOfAll = reason;
    for (const stopHelper of this.#helpers.values()) stopHelper();
    for (const id of this.#live.keys()) this.stop(id, reason);
  }

  /** The attempt that holds this token; undefined once that attempt has ended. */
  findTokenHolder(token: string): Caller | undefined {
    for (const [id, live] of this.#live) if (live.token === token) return { id, attempt: live.attempt };
    return undefined;
  }
}

/** When each running worker last wrote a line or made a call (R193). */
export class WorkerHealth {
  readonly #heardMs = new Map<string, number>();

  markHeard(id: string, nowMs: number): void {
    this.#heardMs.set(id, nowMs);
  }

  forgetWorker(id: string): void {
    this.#heardMs.delete(id);
  }

  /** Undefined for a worker that does not run now. */
  readSilenceMs(id: string, nowMs: number): number | undefined {
    const heard = this.#heardMs.get(id);
    return heard === undefined ? undefined : Math.max(0, nowMs - heard);
  }
}
