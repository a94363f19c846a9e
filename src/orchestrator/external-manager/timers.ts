import type { Clock } from "../../base/clock.ts";
import type { Delegation } from "../../journal/store.ts";

export interface TimerRules {
  readonly graceMs: number;
  readonly consider: (id: string) => void;
}

/**
 * `left`: there is time. `idle`: it may end as soon as nothing of it is at work. `over`: what is still at work is
 * stopped as well.
 */
export type TimeLeft = "left" | "idle" | "over";

type TimedStory = Pick<Delegation, "id" | "startedAt" | "admittedAt" | "timeoutSeconds">;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** When the story of a manager from outside is looked at again, so that none stays open for ever. */
export class OutsideTimers {
  readonly #clock: Clock;
  readonly #rules: TimerRules;
  readonly #goneSinceMs = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  constructor(clock: Clock, rules: TimerRules) {
    this.#clock = clock;
    this.#rules = rules;
  }

  hasGone(id: string): void {
    if (!this.#goneSinceMs.has(id)) this.#goneSinceMs.set(id, this.#clock.monotonicMs());
  }

  isBack(id: string): void {
    this.#goneSinceMs.delete(id);
  }

  away(): readonly string[] {
    return [...this.#goneSinceMs.keys()];
  }

  /** What time says about it now; the next moment at which that changes is waited for. */
  look(delegation: TimedStory, isHere: boolean): TimeLeft {
    const { id } = delegation;
    // One that a dead runtime left has had no chance to come back before now.
    if (!isHere) this.hasGone(id);
    const { idleInMs, overInMs } = this.#remaining(delegation);
    if (overInMs <= 0) return "over";
    this.#wait(id, idleInMs > 0 ? Math.min(idleInMs, overInMs) : overInMs);
    return idleInMs <= 0 ? "idle" : "left";
  }

  forget(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#goneSinceMs.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** A worker that was admitted in the last moment still has the time that any worker has. */
  #remaining({ id, startedAt, admittedAt, timeoutSeconds }: TimedStory) {
    const timeoutMs = timeoutSeconds * 1000;
    const endsInMs = Date.parse(startedAt ?? admittedAt) + timeoutMs - this.#clock.wallMs();
    const goneSince = this.#goneSinceMs.get(id);
    const graceInMs =
      goneSince === undefined ? Infinity : goneSince + this.#rules.graceMs - this.#clock.monotonicMs();
    return { idleInMs: Math.min(graceInMs, endsInMs), overInMs: endsInMs + timeoutMs };
  }

  #wait(id: string, forMs: number): void {
    clearTimeout(this.#timers.get(id));
    if (this.#isClosed) return;
    const look = (): void => this.#rules.consider(id);
    this.#timers.set(id, setTimeout(look, Math.min(Math.ceil(forMs), LONGEST_TIMER_MS)));
  }
}
