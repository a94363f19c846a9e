import { groupDigits } from "../base/group-digits.ts";
import { passed, type Guard } from "./verdict.ts";

/** The contexts of manager and worker must fit together; exactly equal fits (C29). */
export const contextBudgetGuard: Guard = (request, facts, limits) => {
  const total = facts.callerContextTokens + request.contextTokens;
  if (total <= limits.maxContextTokens) return passed("context_ok");
  return {
    ok: false,
    code: "CONTEXT_BUDGET_EXCEEDED",
    message: `Agent context budget (${inThousands(limits.maxContextTokens)} tokens) exceeded. Simplify subtask.`,
    details: [
      `Current context: ${groupDigits(facts.callerContextTokens)} tokens`,
      `Subtask estimate: ${groupDigits(request.contextTokens)} tokens`,
      `Total would be: ${groupDigits(total)} tokens`,
      `Maximum allowed: ${groupDigits(limits.maxContextTokens)} tokens`,
      "",
    ],
    suggestion: "Break subtask into smaller pieces or reduce parent context.",
  };
};

/** 100000 → 100k, 1500 → 1.5k, 800 → 800 */
function inThousands(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 100) / 10}k`;
}
