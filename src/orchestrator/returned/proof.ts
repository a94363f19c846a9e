import type { Settlement } from "../../journal/store.ts";

/** What a proof leads to: it goes on by itself, waits for somebody, or ends here. */
export type Proof =
  | { readonly kind: "proven" }
  | { readonly kind: "waiting" }
  | { readonly kind: "again" }
  | { readonly kind: "close"; readonly settlement: Settlement };
