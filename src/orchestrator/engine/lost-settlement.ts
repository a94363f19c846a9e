import type { Settlement } from "../../journal/store.ts";

/** An agent that takes the whole runtime down with it must not do so for ever. */
const MOST_LOST = 5;

export function lostSettlement(lost: number): Settlement | undefined {
  if (lost <= MOST_LOST) return undefined;
  const summary = `The runtime died during ${lost} of its attempts; its work is kept on its branch.`;
  return { outcome: "partial", code: "ORPHANED", summary };
}
