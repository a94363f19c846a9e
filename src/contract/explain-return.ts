import type { Problem } from "./return-problem.ts";

/** The block a person or a log sees when a return is not accepted (R55). */
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
