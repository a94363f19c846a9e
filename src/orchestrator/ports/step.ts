import type { Settlement } from "../../journal/store.ts";

/** What one call of the pipeline led to. */
export type Step =
  /** The journal has a new state; go on from there. */
  | { readonly kind: "moved" }
  /** Somebody has to answer first. */
  | { readonly kind: "waiting" }
  | { readonly kind: "no-slot" }
  /** It is to end like this, once its own workers have ended. */
  | { readonly kind: "close"; readonly settlement: Settlement };
