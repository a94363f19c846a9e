import type { HandedTo } from "../../contract/work-spec.ts";
import type { TurnKind } from "../../contract/turn-kind.ts";
import type { Delegation } from "../../journal/store.ts";
import { computeRetryDelayMs } from "../../scheduler/retry-delay.ts";
import type { RunSettings } from "../ports/run-tools.ts";

/** How many turns of each kind one delegation gets. Whatever an agent does, it ends. */
export const maxTurns: Readonly<Record<Exclude<TurnKind, "begin" | "retry">, number>> = {
  repair: 2,
  conflict: 1,
  handover: 3,
  results: 50,
  answer: 10,
};

/** How often the same turn is repeated because its process was interrupted. */
export const MAX_INTERRUPTIONS = 2;

export function mayTakeTurn(delegation: Delegation, kind: keyof typeof maxTurns): boolean {
  return (delegation.turn.counts[kind] ?? 0) < maxTurns[kind];
}

/** Another attempt, with the text for its agent about the last one. */
export interface AgainStep {
  readonly kind: "again";
  readonly turn: TurnKind;
  readonly reason: string;
  readonly afterMs: number;
  /** Another agent takes the turn. */
  readonly handedTo?: HandedTo;
}

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/** One more attempt after a growing pause, if the project allows another. */
export function planRetry(
  delegation: Delegation,
  settings: Pick<RunSettings, "retry">,
  reason: string,
): AgainStep | undefined {
  const { enabled, maxAttempts, backoffMultiplier } = settings.retry;
  const used = delegation.turn.counts.retry ?? 0;
  if (!enabled || used + 1 >= maxAttempts) return undefined;
  const afterMs = computeRetryDelayMs({
    attempt: used + 1,
    multiplier: backoffMultiplier,
    baseMs: FIRST_PAUSE_MS,
    maxMs: MAX_PAUSE_MS,
    random: Math.random,
  });
  return { kind: "again", turn: "retry", reason, afterMs };
}
