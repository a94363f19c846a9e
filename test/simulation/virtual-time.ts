import type { Clock } from "../../src/base/clock.ts";

/** Whose timer it is: those of the runtime die with it, those of the world around it do not. */
export type Owner = "runtime" | "outside";

interface Timer {
  readonly number: number;
  readonly atMs: number;
  readonly owner: Owner;
  /** Fires only when nothing else is left to do. */
  readonly isPatient: boolean;
  readonly action: () => void;
}

export interface TimerRequest {
  readonly owner: Owner;
  readonly delayMs: number;
  readonly isPatient?: boolean;
  readonly action: () => void;
}

/** While something else can be done, time goes on by no more than this. */
const SOON_MS = 3000;
const BEGIN_WALL_MS = Date.UTC(2030, 0, 1);

/** Stands still until it is told to go to the next timer. The wall may jump, as it does on laptops. */
export class VirtualTime implements Clock {
  readonly #timers = new Map<number, Timer>();
  #nowMs = 0;
  #jumpedMs = 0;
  #hurriedMs = 0;
  #count = 0;

  wallMs(): number {
    return BEGIN_WALL_MS + this.#nowMs + this.#jumpedMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  /** Time that went by although something could have been done: the machine was slow, which is not a fault. */
  hurriedMs(): number {
    return this.#hurriedMs;
  }

  jumpWall(byMs: number): void {
    this.#jumpedMs += byMs;
  }

  set({ owner, delayMs, action, isPatient = false }: TimerRequest): number {
    const number = (this.#count += 1);
    // Node takes what is no usable delay for one millisecond.
    const wait = delayMs >= 1 && delayMs < 2 ** 31 ? delayMs : 1;
    this.#timers.set(number, { number, atMs: this.#nowMs + wait, owner, isPatient, action });
    return number;
  }

  clear(number: number): void {
    this.#timers.delete(number);
  }

  clearRuntime(): void {
    for (const timer of this.#timers.values())
      if (timer.owner === "runtime") this.#timers.delete(timer.number);
  }

  isEmpty(): boolean {
    return this.#timers.size === 0;
  }

  /** Fires the earliest timer; answers whether there was one. `early`: although something else could be done. */
  fireNext(isEarly: boolean): boolean {
    const next = this.#earliest(isEarly);
    if (next === undefined) return false;
    this.#timers.delete(next.number);
    if (isEarly) this.#hurriedMs += Math.max(0, next.atMs - this.#nowMs);
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    next.action();
    return true;
  }

  #earliest(isEarly: boolean): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers.values()) {
      if (isEarly && (timer.isPatient || timer.atMs > this.#nowMs + SOON_MS)) continue;
      if (first === undefined || timer.atMs < first.atMs) first = timer;
    }
    return first;
  }
}
