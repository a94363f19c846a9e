import { computeRetryDelayMs } from "./retry-delay.ts";

export interface Refusal {
  /** Monotonic time at which the provider refused. */
  readonly nowMs: number;
  /** The wait that the provider asked for, if it named one. */
  readonly retryAfterMs?: number | undefined;
}

interface Gate {
  readonly untilMs: number;
  /** Refusals in a row, each after the wait for the one before. */
  readonly refusals: number;
}

const FIRST_WAIT_MS = 10_000;
const MAX_WAIT_MS = 10 * 60_000;
/** Some accounts are full for hours; one line that an agent printed must not cause a wait of days. */
const MAX_ASKED_MS = 24 * 60 * 60_000;
/** Spreads jobs that were given the same moment. */
const SPREAD = 0.1;

/**
 * A full account is full for every job that uses it: after one refusal nothing new starts for that provider until it may
 * answer again. Running jobs continue. The gate is in memory only; a new runtime learns from the next refusal, or from another
 * machine.
 */
export class RateGate {
  readonly #gates = new Map<string, Gate>();
  readonly #random: () => number;
  #onClosed: (provider: string, untilMs: number) => void = () => undefined;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Called when a refusal closes a gate, or keeps it closed for longer. */
  onClosed(listener: (provider: string, untilMs: number) => void): void {
    this.#onClosed = listener;
  }

  /** Another machine was refused. Of two times the later one counts. */
  keepClosed(provider: string, untilMs: number): void {
    const before = this.#gates.get(provider);
    if (before !== undefined && before.untilMs >= untilMs) return;
    this.#gates.set(provider, { untilMs, refusals: Math.max(1, before?.refusals ?? 0) });
  }

  /** Answers when to ask again. Refusals of jobs that ran already when it closed count as the same refusal. */
  closeGate(provider: string, { nowMs, retryAfterMs }: Refusal): number {
    const before = this.#gates.get(provider);
    const isClosed = before !== undefined && before.untilMs > nowMs;
    const refusals = (before?.refusals ?? 0) + (isClosed ? 0 : 1);
    const untilMs = nowMs + this.#computeWaitMs(refusals, retryAfterMs);
    if (isClosed && (retryAfterMs === undefined || untilMs <= before.untilMs)) return before.untilMs;
    this.#gates.set(provider, { untilMs, refusals });
    this.#onClosed(provider, untilMs);
    return untilMs;
  }

  /** The provider has answered a request. A request from before the gate closed proves nothing. */
  markAnswered(provider: string, nowMs: number): void {
    const gate = this.#gates.get(provider);
    if (gate !== undefined && gate.untilMs <= nowMs) this.#gates.delete(provider);
  }

  /** Monotonic time until which nothing starts; undefined when the gate is open. */
  closedUntil(provider: string, nowMs: number): number | undefined {
    const gate = this.#gates.get(provider);
    return gate !== undefined && gate.untilMs > nowMs ? gate.untilMs : undefined;
  }

  #computeWaitMs(refusals: number, retryAfterMs: number | undefined): number {
    if (retryAfterMs !== undefined && retryAfterMs > 0) {
      const askedMs = Math.min(MAX_ASKED_MS, retryAfterMs);
      return Math.ceil(askedMs * (1 + SPREAD * this.#random()));
    }
    return computeRetryDelayMs({
      attempt: refusals,
      baseMs: FIRST_WAIT_MS,
      multiplier: 2,
      maxMs: MAX_WAIT_MS,
      random: this.#random,
    });
  }
}
