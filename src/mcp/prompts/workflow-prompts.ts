import type { PromptFacts } from "./prompt-facts.ts";

const commands: readonly (readonly [name: string, description: string, isAboutTask: boolean])[] = [
  ["research", "Research a task", true],
  ["plan", "Write a plan of phases for a task", true],
  ["implement", "Implement a task, phase by phase if it has a plan", true],
  ["revise", "Write a new version of a task's plan", true],
  ["review", "Review the work of a task, or anything you name", false],
  ["todo", "Archive tasks that are completed or abandoned", false],
  ["errors", "Show recent failures", false],
  ["meta", "Generate agents, commands or templates for this project", false],
];

/** The workflow commands for a person in front of an agent. The runtime routes, limits and settles them. */
export const workflowPrompts: readonly PromptFacts[] = commands.map(([name, description, isAboutTask]) => ({
  name,
  description,
  arguments: isAboutTask
    ? [
        { name: "task", description: "The task's number", required: true },
        { name: "words", description: "Anything to add", required: false },
      ]
    : [{ name: "words", description: "What it is about", required: false }],
  text: async (given) => describeCommand(name, given),
}));

const MAX_WORDS_LENGTH = 4000;

function describeCommand(name: string, given: Readonly<Record<string, string>>): string {
  const line = ["ambit", name, cleanTask(given["task"] ?? ""), quoteWords(given["words"] ?? "")]
    .filter((word) => word !== "")
    .join(" ");
  return [
    `Run this in the project's shell and wait until it ends: ${line}`,
    "It chooses the agent, enforces the limits, runs the checks and updates the task's status, links and documents. Do none of that yourself, and do not edit TODO.md or state.json.",
    "Then tell the person how it ended, in its own words: outcome, status of the task, what was written, and the command to continue with.",
    "Exit status 0 is completed, 3 partial, 4 blocked, 5 a limit, 124 timed out; the last lines say what to do next.",
  ].join("\n");
}

/** A task's number or id, without characters that mean something to a shell. */
function cleanTask(task: string): string {
  return task.replaceAll(/[^A-Za-z0-9_.#-]/g, "").slice(0, 100);
}

function quoteWords(words: string): string {
  const text = words.trim().slice(0, MAX_WORDS_LENGTH);
  return text === "" ? "" : `'${text.replaceAll("'", `'\\''`)}'`;
}
