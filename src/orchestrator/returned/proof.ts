import type { Settlement } from "../../journal/store.ts";

/** The result of a proof. */
export type Proof =
  | { readonly kind: "proven" }
  /** A person or the manager has to answer first. */
  | { readonly kind: "waiting" }
  /** The journal has a new state. */
  | { readonly kind: "again" }
  | { readonly kind: "close"; readonly settlement: Settlement };
