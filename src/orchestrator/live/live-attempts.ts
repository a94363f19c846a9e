import { randomBase36 } from "../../base/ids.ts";
import type { Delegation } from "../../journal/store.ts";
import { RateGate } from "../../scheduler/rate-gate.ts";
import type { StopReason } from "../running/invoke/attempt-watch.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { Waiters } from "./waiters.ts";
import { WorkerHealth } from "./worker-health.ts";

/** A worker in one of its attempts. */
export interface Caller {
  readonly id: string;
  readonly attempt: number;
}

interface Live {
  readonly token: string;
  readonly attempt: number;
  stop: ((reason: StopReason) => void) | undefined;
  /** Asked for before there was a process. */
  wanted: StopReason | undefined;
}

const TOKEN_LENGTH = 32;

/** The attempts whose processes this runtime owns, and the token each was given: the only thing a worker is known by. */
export class LiveAttempts {
  /** Closed by those who run, for those who wait. */
  readonly rates = new RateGate();
  readonly health = new WorkerHealth();
  readonly #live = new Map<string, Live>();
  readonly #calls = new KeyedLock();
  readonly #left = new Waiters<void>();
  readonly #onLeave: (id: string) => void;
  /** Asked of all, those that are still being prepared included. */
  #wantedOfAll: StopReason | undefined;

  /** `onLeave` is told of every process that has ended: its slot is free while its work is still being kept. */
  constructor(onLeave: (id: string) => void = () => undefined) {
    this.#onLeave = onLeave;
  }

  enter({ id, attempt }: Delegation): string {
    const token = randomBase36(TOKEN_LENGTH);
    this.#live.set(id, { token, attempt, stop: undefined, wanted: undefined });
    return token;
  }

  started(id: string, stop: (reason: StopReason) => void): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    live.stop = stop;
    const wanted = live.wanted ?? this.#wantedOfAll;
    if (wanted !== undefined) stop(wanted);
  }

  /** Its process has ended: no call of it begins any more, and the one under way is waited for. */
  async leave(id: string): Promise<void> {
    this.#live.delete(id);
    this.health.forget(id);
    this.#onLeave(id);
    this.#left.tell(id, undefined);
    await this.#calls.run(id, () => Promise.resolve());
  }

  /** Does part of a worker's call, one at a time and only while its process runs; otherwise answers undefined. */
  during<Result>({ id, attempt }: Caller, task: () => Promise<Result>): Promise<Result | undefined> {
    return this.#calls.run(id, async () => (this.#live.get(id)?.attempt === attempt ? task() : undefined));
  }

  /** Resolves when the process that runs now has ended. */
  whenLeft(id: string): Promise<void> {
    return this.#live.has(id) ? this.#left.wait(id) : Promise.resolve();
  }

  stop(id: string, reason: StopReason): void {
    const live = this.#live.get(id);
    if (live === undefined) return;
    live.wanted = reason;
    live.stop?.(reason);
  }

  stopAll(reason: StopReason): void {
    this.#wantedOfAll = reason;
    for (const id of this.#live.keys()) this.stop(id, reason);
  }

  /** Who holds this token; a token of an attempt that has ended is nobody's. */
  holderOf(token: string): Caller | undefined {
    for (const [id, live] of this.#live) if (live.token === token) return { id, attempt: live.attempt };
    return undefined;
  }
}
