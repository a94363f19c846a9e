import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../base/clock.ts";

/** An account that several workers share. All times are monotonic. */
export interface AccountGate {
  /** Up to when the account is full; undefined where it is not. */
  closedUntil(nowMs: number): number | undefined;
  /** The provider has refused, and perhaps said for how long. */
  close(refusal: { readonly nowMs: number; readonly retryAfterMs?: number | undefined }): void;
  answered(nowMs: number): void;
}

export interface GateWait {
  readonly gate: AccountGate;
  readonly clock: Clock;
  /** Longer than this nobody is kept waiting with an open connection. */
  readonly longestMs: number;
}

export type Passage =
  | { readonly kind: "open" }
  | { readonly kind: "closed"; readonly forMs: number }
  | { readonly kind: "gone" };

/** Waits until the account may be asked again, as long as that is bearable. */
export async function waitForGate(wait: GateWait, signal: AbortSignal): Promise<Passage> {
  const { gate, clock, longestMs } = wait;
  const startMs = clock.monotonicMs();
  for (;;) {
    if (signal.aborted) return { kind: "gone" };
    const nowMs = clock.monotonicMs();
    const untilMs = gate.closedUntil(nowMs);
    if (untilMs === undefined) return { kind: "open" };
    if (untilMs - startMs > longestMs) return { kind: "closed", forMs: untilMs - nowMs };
    // Gone in the meantime: seen at the top.
    await delay(Math.max(1, untilMs - nowMs), undefined, { signal }).catch(() => undefined);
  }
}

const TOO_MANY = 429;
const OVERLOADED = 529;

/** Tells the gate what an answer means for everybody else. */
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
