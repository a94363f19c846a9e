import type { Settlement } from "../../journal/store.ts";

/** An agent that takes the whole runtime down with it must not do so for ever. */
const MOST_LOST = 5;

/** What it depends on has ended, and not as it needs it. */
export function blockedSettlement(on: readonly string[]): Settlement {
  const summary = `It waited for ${on.join(", ")}, which will not be completed.`;
  return { outcome: "blocked", code: "DEPENDENCY_FAILED", summary };
}

export function lostSettlement(lost: number): Settlement | undefined {
  if (lost <= MOST_LOST) return undefined;
  const summary = `The runtime died during ${lost} of its attempts; its work is kept on its branch.`;
  return { outcome: "partial", code: "ORPHANED", summary };
}
