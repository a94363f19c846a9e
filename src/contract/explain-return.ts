import type { Problem } from "./return-problem.ts";

/** The text that a person or a log shows when a return is rejected (R55). */
export function explainRejectedReturn(rejected: {
  readonly agent: string;
  readonly session: string;
  readonly problems: readonly Problem[];
}): string {
  return [
    "Error: Subagent return validation failed",
    "",
    `Subagent: ${rejected.agent}`,
    `Session: ${rejected.session}`,
    "",
    "Validation errors:",
    ...rejected.problems.map((problem) => `- ${problem.message}`),
    "",
    `Recommendation: Fix ${rejected.agent} subagent return format`,
  ].join("\n");
}
