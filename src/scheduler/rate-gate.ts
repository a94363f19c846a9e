import { retryDelayMs } from "./retry-delay.ts";

export interface Refusal {
  /** Monotonic time at which the provider refused. */
  readonly nowMs: number;
  /** What it asked to wait, where it said so. */
  readonly retryAfterMs?: number | undefined;
}

interface Gate {
  readonly untilMs: number;
  /** Refusals in a row, each after the wait for the one before. */
  readonly refusals: number;
}

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 10 * 60_000;
/** Some accounts are full for hours; nobody waits for days because of one line that an agent printed. */
const LONGEST_ASKED_MS = 24 * 60 * 60_000;
/** Those who were all told the same moment do not all come at it. */
const SPREAD = 0.1;

/**
 * An account that is full is full for everybody who uses it: after one refusal nothing new starts for that provider
 * until it may answer again. What runs goes on. It is kept in memory only; the next refusal tells a new runtime.
 */
export class RateGate {
  readonly #gates = new Map<string, Gate>();
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Answers when to ask again. Refusals of those who already run when it closes are the same refusal. */
  close(provider: string, { nowMs, retryAfterMs }: Refusal): number {
    const before = this.#gates.get(provider);
    const isClosed = before !== undefined && before.untilMs > nowMs;
    const refusals = (before?.refusals ?? 0) + (isClosed ? 0 : 1);
    const untilMs = nowMs + this.#waitMs(refusals, retryAfterMs);
    if (isClosed && (retryAfterMs === undefined || untilMs <= before.untilMs)) return before.untilMs;
    this.#gates.set(provider, { untilMs, refusals });
    return untilMs;
  }

  /** The provider has answered somebody. Whoever was let through before it closed proves nothing. */
  answered(provider: string, nowMs: number): void {
    const gate = this.#gates.get(provider);
    if (gate !== undefined && gate.untilMs <= nowMs) this.#gates.delete(provider);
  }

  /** Monotonic time up to which nothing starts; undefined where nothing is in the way. */
  closedUntil(provider: string, nowMs: number): number | undefined {
    const gate = this.#gates.get(provider);
    return gate !== undefined && gate.untilMs > nowMs ? gate.untilMs : undefined;
  }

  #waitMs(refusals: number, retryAfterMs: number | undefined): number {
    if (retryAfterMs !== undefined && retryAfterMs > 0) {
      const askedMs = Math.min(LONGEST_ASKED_MS, retryAfterMs);
      return Math.ceil(askedMs * (1 + SPREAD * this.#random()));
    }
    return retryDelayMs({
      attempt: refusals,
      baseMs: FIRST_WAIT_MS,
      multiplier: 2,
      maxMs: LONGEST_WAIT_MS,
      random: this.#random,
    });
  }
}
