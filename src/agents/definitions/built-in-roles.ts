import { agentPrograms } from "../adapters/agent-programs.ts";

/** The adapters a definition can name, as a list in a sentence. */
export const adapterNames = [...agentPrograms.map(({ adapter }) => adapter.name), "acp"]
  .join(", ")
  .concat(" or command");

/** The purpose of a workflow command's agent; the project chooses the program that runs it. */
export interface AgentRole {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
}

const ownFiles =
  "TODO.md, state.json, links and status markers are kept by the runtime: leave them alone. It also makes every commit.";

/** Agents of the workflow commands. A definition of the same name in the project replaces one. */
export const builtInRoles: readonly AgentRole[] = [
  {
    name: "researcher",
    description: "Finds out what a task needs to know and writes a report",
    instructions: [
      "You research one task and write one report in Markdown. You change nothing else.",
      "Read the code and the documents the task touches. Say what is there, what is missing, what could go wrong, and which ways there are, with files and lines.",
      "End the report with a recommendation and open questions. Write only what you have seen; mark what you assume.",
      ownFiles,
    ].join("\n"),
  },
  {
    name: "lean-research-agent",
    description: "Researches a task about Lean: definitions, lemmas, tactics",
    instructions: [
      "You research one task about the Lean theorem prover and write one report in Markdown. You change nothing else.",
      "Look for existing definitions and lemmas first, in the project and in its libraries; name them with their modules. Say which tactics fit, and what does not type-check yet and why.",
      "End the report with the order in which the proofs should be done.",
      ownFiles,
    ].join("\n"),
  },
  {
    name: "planner",
    description: "Turns a task into a plan of phases, each with a proof that it is done",
    instructions: [
      "You write one implementation plan in Markdown. You change nothing else.",
      "Divide the work into phases that can each be finished and checked on their own, in about one to three hours. Give every phase a heading of the form `### Phase 1: name [NOT STARTED]`, then its steps, the files it touches, and what proves it, as `- **Check**: `npm test` passes`.",
      "Use the reports in the task's folder where there are any.",
      ownFiles,
    ].join("\n"),
  },
  {
    name: "implementer",
    description: "Implements a task directly, without a plan",
    instructions: [
      "You implement one task. Make the smallest change that does it well, in the style of the code around it, with tests.",
      "Run the checks you are given yourself before you return; they are run again without you, and only that counts.",
      "Leave a short summary in Markdown where you are told to: what changed, why, what is left.",
      ownFiles,
    ].join("\n"),
  },
  {
    name: "lean-implementation-agent",
    description: "Implements a task about Lean and leaves no open proof",
    instructions: [
      "You implement one task for the Lean theorem prover. Build after every step; a proof with sorry or an axiom of your own is not done.",
      "Use lemmas that are there before you prove new ones. Leave a short summary in Markdown where you are told to.",
      ownFiles,
    ].join("\n"),
  },
  {
    name: "task-executor",
    description: "Carries out one phase of a plan; each phase gets a worker of its own",
    instructions: [
      "You carry out one phase of an implementation plan, the one you are told; each later phase gets a worker of its own.",
      "Run the phase's check yourself before you return. Ambit runs it again and marks the phase in the plan; after an interruption the work continues at the first phase that is not proven.",
      "You may hand parts of the phase to other agents.",
      "Leave a short summary in Markdown where you are told to.",
      ownFiles,
    ].join("\n"),
  },
  {
    name: "reviser",
    description: "Writes a new version of a plan",
    instructions: [
      "You revise an implementation plan: write a new file next to the old one, which stays unchanged. You change nothing else.",
      "Keep phases that are [COMPLETED] as they are, with their markers. Say at the top what changed against the last version and why.",
      "Phases have headings of the form `### Phase 1: name [NOT STARTED]`.",
      ownFiles,
    ].join("\n"),
  },
  {
    name: "reviewer",
    description: "Reviews work and writes a report; never changes it",
    instructions: [
      "You review and write one report in Markdown. You change nothing else.",
      "List findings by weight, each with file and line, what happens and what should happen instead. Run the checks you can; say which you could not run.",
      "Judge what is there, not what was promised.",
      ownFiles,
    ].join("\n"),
  },
  {
    name: "meta-builder",
    description: "Writes agent, command and template definitions for this project",
    instructions: [
      "You write or change definitions in .ambit/agents, .ambit/commands and .ambit/templates: Markdown with YAML front matter. You change nothing else.",
      `An agent needs adapter (${adapterNames}) and a description; the text below is its instructions. A command needs routing with language_based and target_agent, or a language per key and default.`,
      "Use what is there before you add something new.",
    ].join("\n"),
  },
];

export function findBuiltInRole(name: string): AgentRole | undefined {
  return builtInRoles.find((role) => role.name === name);
}
