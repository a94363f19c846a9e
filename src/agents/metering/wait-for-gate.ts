import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../base/clock.ts";

/** An account that several workers share. All times are monotonic. */
export interface AccountGate {
  /** When the account is available again; undefined if it is available now. */
  closedUntil(nowMs: number): number | undefined;
  /** Records a refusal by the provider, with its wait if it named one. */
  close(refusal: { readonly nowMs: number; readonly retryAfterMs?: number | undefined }): void;
  answered(nowMs: number): void;
}

export interface GateWait {
  readonly gate: AccountGate;
  readonly clock: Clock;
  /** The longest time a client waits with an open connection. */
  readonly longestMs: number;
}

export type Passage =
  | { readonly kind: "open" }
  | { readonly kind: "closed"; readonly forMs: number }
  | { readonly kind: "gone" };

/** Waits until the account is available again, up to the limit. */
export async function waitForGate(wait: GateWait, signal: AbortSignal): Promise<Passage> {
  const { gate, clock, longestMs } = wait;
  const startMs = clock.monotonicMs();
  for (;;) {
    if (signal.aborted) return { kind: "gone" };
    const nowMs = clock.monotonicMs();
    const untilMs = gate.closedUntil(nowMs);
    if (untilMs === undefined) return { kind: "open" };
    if (untilMs - startMs > longestMs) return { kind: "closed", forMs: untilMs - nowMs };
    // The client has gone; the loop notices it at its start.
    await delay(Math.max(1, untilMs - nowMs), undefined, { signal }).catch(() => undefined);
  }
}

const TOO_MANY = 429;
const OVERLOADED = 529;

/** Closes the gate for all workers if the answer says that the account is exhausted. */
export function noteAnswer(
  { gate, clock }: GateWait,
  answer: { readonly status: number; readonly retryAfter: string | undefined },
): void {
  const nowMs = clock.monotonicMs();
  if (answer.status === TOO_MANY || answer.status === OVERLOADED)
    gate.close({ nowMs, retryAfterMs: readRetryAfter(answer.retryAfter, clock) });
  else if (answer.status < 400) gate.answered(nowMs);
}

/** Seconds, or a date. */
function readRetryAfter(value: string | undefined, clock: Clock): number | undefined {
  if (value === undefined || value.length > 100) return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - clock.wallMs() : seconds * 1000;
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}
