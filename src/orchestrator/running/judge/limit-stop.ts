import type { Settlement } from "../../../journal/store.ts";
import type { JudgedAttempt } from "./validate-return.ts";
import { salvage } from "./salvage.ts";

const limits = {
  budget: { code: "COST_LIMIT_EXCEEDED", what: "Stopped at its budget" },
  turns: { code: "AGENT_TURN_LIMIT", what: "Stopped at its most tool calls (delegation.maxTurns)" },
} as const;

/** How one ends that the runtime stopped at a limit: what it did is kept. */
export function settleAtLimit(attempt: JudgedAttempt, stopped: keyof typeof limits): Settlement {
  return salvage(attempt, { outcome: "partial", ...limits[stopped] });
}
