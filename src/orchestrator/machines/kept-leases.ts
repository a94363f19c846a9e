import type { Store } from "../../journal/store.ts";
import type { StopReason } from "../live/live-attempts.ts";

export interface LeaseParts {
  readonly store: Pick<Store, "heartbeat">;
  readonly leaseMs: number;
  readonly stop: (id: string, reason: StopReason) => void;
  /** Lets an attempt continue although its lease is not confirmed; tests use it to remove that defence. */
  readonly neverFences?: boolean;
}

interface Held {
  readonly attempt: number;
  /** The time when the last confirmed heartbeat was sent. */
  confirmedMs: number;
}

const BEAT_MS = 2000;
/** An attempt whose lease is not confirmed ends this long before another machine may begin the next one. */
const FENCE_MS = 5000;

/**
 * Keeps the leases of a machine's attempts from their beginning to their end, and ends an attempt whose lease it cannot
 * keep.
 */
export class KeptLeases {
  readonly #parts: LeaseParts;
  readonly #held = new Map<string, Held>();
  readonly #timer: NodeJS.Timeout;
  #beating: Promise<unknown> = Promise.resolve();

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#beatAll(), Math.min(BEAT_MS, parts.leaseMs / 5));
  }

  /** The lease may have begun at any moment since it was asked for. */
  keep(id: string, attempt: number, askedMs: number = performance.now()): void {
    this.#held.set(id, { attempt, confirmedMs: askedMs });
  }

  /** Whether another machine may soon begin the next attempt, or has begun it. */
  isInDoubt(id: string): boolean {
    const held = this.#held.get(id);
    return held !== undefined && this.#isUnconfirmed(held, performance.now());
  }

  drop(id: string): void {
    this.#held.delete(id);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
  }

  #beatAll(): void {
    const beats = [...this.#held].map(([id, held]) => this.#beat(id, held));
    this.#beating = Promise.allSettled(beats);
  }

  async #beat(id: string, held: Held): Promise<void> {
    const { store, leaseMs, stop } = this.#parts;
    const sentMs = performance.now();
    if (this.#isUnconfirmed(held, sentMs)) stop(id, "fenced");
    const answer = await store.heartbeat(id, held.attempt, leaseMs);
    if (answer !== "stale") held.confirmedMs = Math.max(held.confirmedMs, sentMs);
    if (answer === "cancelled") stop(id, "cancelled");
    if (answer === "stale") stop(id, "fenced");
  }

  #isUnconfirmed({ confirmedMs }: Held, nowMs: number): boolean {
    const { leaseMs, neverFences = false } = this.#parts;
    return nowMs - confirmedMs > leaseMs - FENCE_MS && !neverFences;
  }
}
