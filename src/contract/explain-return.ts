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
    PROBLEMS,
    ...rejected.problems.map((problem) => `- ${problem.message}`),
    "",
    `Recommendation: Fix ${rejected.agent} subagent return format`,
  ].join("\n");
}

const PROBLEMS = "Validation errors:";

/** The list of problems in such a text, for the agent that has to correct them; any other text as it is. */
export function listRejectedProblems(text: string): string {
  const [, list] = text.split(`${PROBLEMS}\n`, 2);
  return list === undefined ? text : (list.split("\n\n", 1)[0] ?? "");
}
