import type { Delegation } from "../../../journal/store.ts";
import type { JudgedAttempt } from "./validate-return.ts";

/** It could not work because an account was full; the same turn is taken again once that may have passed. */
export interface HeldStep {
  readonly kind: "held";
  readonly provider: string;
  readonly reason: string;
  readonly afterMs: number;
}

/** With pauses that grow to ten minutes, or as long as the provider asks for, this is hours. */
const MOST_HELD = 20;

/** Undefined where its provider was not full, or has been too often. It costs none of the retries a project allows. */
export function rateLimitStep(
  { hold }: Pick<JudgedAttempt, "hold">,
  { turn }: Pick<Delegation, "turn">,
): HeldStep | undefined {
  if (hold === undefined || turn.held >= MOST_HELD) return undefined;
  const { provider, afterMs, untilWallMs } = hold;
  const until = new Date(untilWallMs).toISOString();
  return { kind: "held", provider, afterMs, reason: `waits for provider ${provider} until ${until}` };
}
