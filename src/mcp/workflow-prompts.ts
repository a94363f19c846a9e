import type { PromptFacts } from "./prompt-facts.ts";

const commands: readonly (readonly [name: string, description: string, isAboutTask: boolean])[] = [
  ["research", "Have a task researched", true],
  ["plan", "Have a plan of phases written for a task", true],
  ["implement", "Have a task done, phase by phase where it has a plan", true],
  ["revise", "Have a new version of a task's plan written", true],
  ["review", "Have the work of a task, or anything you name, reviewed", false],
  ["todo", "Archive tasks that are completed or abandoned", false],
  ["errors", "See what went wrong lately", false],
  ["meta", "Have agents, commands or templates of this project written", false],
];

/** The workflow commands for a person in front of an agent: the runtime routes, bounds and settles, not the agent. */
export const workflowPrompts: readonly PromptFacts[] = commands.map(([name, description, isAboutTask]) => ({
  name,
  description,
  arguments: isAboutTask
    ? [
        { name: "task", description: "The task's number", required: true },
        { name: "words", description: "Anything to add", required: false },
      ]
    : [{ name: "words", description: "What it is about", required: false }],
  text: async (given) => describe(name, given),
}));

const LONGEST = 4000;

function describe(name: string, given: Readonly<Record<string, string>>): string {
  const line = ["ambit", name, plain(given["task"] ?? ""), quoted(given["words"] ?? "")]
    .filter((word) => word !== "")
    .join(" ");
  return [
    `Run this in the project's shell and wait for its end: ${line}`,
    "It chooses the agent, holds the limits, runs the checks and settles the task's status, links and documents by itself. Do none of that yourself, and do not edit TODO.md or state.json.",
    "Then tell the person how it ended, in its own words: outcome, where the task stands, what was written, and the command to go on with.",
    "Exit status 0 is completed, 3 partial, 4 blocked, 5 a limit, 124 timed out; the last lines say what to do next.",
  ].join("\n");
}

/** A number, or the id of a task; nothing a shell could take for anything else. */
function plain(task: string): string {
  return task.replaceAll(/[^A-Za-z0-9_.#-]/g, "").slice(0, 100);
}

function quoted(words: string): string {
  const text = words.trim().slice(0, LONGEST);
  return text === "" ? "" : `'${text.replaceAll("'", `'\\''`)}'`;
}
