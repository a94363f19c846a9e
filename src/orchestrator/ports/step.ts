import type { Settlement } from "../../journal/store.ts";

/** The result of one look at a delegation. */
export type Step =
  /** The journal has a new state; look again. */
  | { readonly kind: "moved" }
  /** A worker or a person has to act first. */
  | { readonly kind: "waiting" }
  /** Its process is running, or it has ended: no look from here changes anything. */
  | { readonly kind: "nothing" }
  /** It may start as soon as the queue has a slot for it. */
  | { readonly kind: "ready" }
  | { readonly kind: "no-slot" }
  /** It ends like this, once its own workers have ended. */
  | { readonly kind: "close"; readonly settlement: Settlement };

export const moved: Step = { kind: "moved" };
export const waiting: Step = { kind: "waiting" };

export function closeWith(settlement: Settlement): {
  readonly kind: "close";
  readonly settlement: Settlement;
} {
  return { kind: "close", settlement };
}
