import type { Clock } from "../../base/clock.ts";
import type { Delegation } from "../../journal/store.ts";

export interface TimerRules {
  readonly graceMs: number;
  readonly consider: (id: string) => void;
}

/** `left`: there is time. `idle`: the story ends once no worker runs. `over`: running workers are stopped as well. */
export type TimeLeft = "left" | "idle" | "over";

type TimedStory = Pick<Delegation, "id" | "startedAt" | "admittedAt" | "timeoutSeconds">;

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Schedules the next look at the stories of external managers, so that none stays open forever. */
export class ExternalManagerTimers {
  readonly #clock: Clock;
  readonly #rules: TimerRules;
  readonly #goneSinceMs = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  constructor(clock: Clock, rules: TimerRules) {
    this.#clock = clock;
    this.#rules = rules;
  }

  markGone(id: string): void {
    if (!this.#goneSinceMs.has(id)) this.#goneSinceMs.set(id, this.#clock.monotonicMs());
  }

  markPresent(id: string): void {
    this.#goneSinceMs.delete(id);
  }

  listAway(): readonly string[] {
    return [...this.#goneSinceMs.keys()];
  }

  /** Tells how much time the story has now; schedules a look for the moment when that changes. */
  checkTime(delegation: TimedStory, isHere: boolean): TimeLeft {
    const { id } = delegation;
    // After a dead runtime the manager has had no chance to come back before now.
    if (!isHere) this.markGone(id);
    const { idleInMs, overInMs } = this.#computeRemaining(delegation);
    if (overInMs <= 0) return "over";
    this.#scheduleLook(id, idleInMs > 0 ? Math.min(idleInMs, overInMs) : overInMs);
    return idleInMs <= 0 ? "idle" : "left";
  }

  forgetStory(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#goneSinceMs.delete(id);
  }

  clearTimers(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** A worker that was admitted at the last moment still gets its full time. */
  #computeRemaining({ id, startedAt, admittedAt, timeoutSeconds }: TimedStory) {
    const timeoutMs = timeoutSeconds * 1000;
    const endsInMs = Date.parse(startedAt ?? admittedAt) + timeoutMs - this.#clock.wallMs();
    const goneSince = this.#goneSinceMs.get(id);
    const graceInMs =
      goneSince === undefined ? Infinity : goneSince + this.#rules.graceMs - this.#clock.monotonicMs();
    return { idleInMs: Math.min(graceInMs, endsInMs), overInMs: endsInMs + timeoutMs };
  }

  #scheduleLook(id: string, forMs: number): void {
    clearTimeout(this.#timers.get(id));
    if (this.#isClosed) return;
    const look = (): void => this.#rules.consider(id);
    this.#timers.set(id, setTimeout(look, Math.min(Math.ceil(forMs), MAX_TIMER_MS)));
  }
}
