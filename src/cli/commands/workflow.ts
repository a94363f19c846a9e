import type { Command } from "commander";
import type { WorkflowAnswer } from "../../app/workflow.ts";
import { visibleText } from "../../base/visible-text.ts";
import { nameOutcome } from "../../contract/outcome.ts";
import { workflowCommands, type WorkflowCommand } from "../../contract/workflow-request.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { followInTerminal } from "../follow/follow-in-terminal.ts";
import { renderProof } from "../render/proof-lines.ts";
import {
  addVariableOption,
  readBudget,
  readLimitFlags,
  readTimeout,
  readVariables,
} from "./story-options.ts";

interface WorkflowText {
  readonly description: string;
  readonly example: string;
}

const texts: Readonly<Record<WorkflowCommand, WorkflowText>> = {
  research: {
    description: "Research a task; writes a report into its folder and updates status and links.",
    example: "ambit research 197",
  },
  plan: {
    description: "Write a plan of phases for a task into the task's folder.",
    example: "ambit plan 191",
  },
  implement: {
    description: "Implement a task, phase by phase if it has a plan; proven work is on ambit/<story>.",
    example: "ambit implement 191",
  },
  revise: {
    description: "Write a new version of a task's plan; the old one stays.",
    example: "ambit revise 191 'split phase 2'",
  },
  review: {
    description: "Review the work of a task, or anything you name; the result is a report.",
    example: "ambit review 191",
  },
  meta: {
    description: "Generate agents, commands or templates of this project; you approve them.",
    example: "ambit meta 'an agent that writes changelog entries'",
  },
};

/** Declares the workflow command of that name: all of them have the same options and the same action. */
export function register(command: Command, act: Act): void {
  const name = workflowCommands.find((one) => one === command.name());
  if (name === undefined) throw new TypeError(`${command.name()} is not a workflow command`);
  const { description, example } = texts[name];
  addVariableOption(addArguments(command.description(description), name))
    .option("--agent <name>", "use this agent instead of the routed one")
    .option("--lang <name>", "route as if the task were in this language")
    .option("--timeout <seconds>", "stop the agent after this long")
    .option("--budget <dollars>", "stop when all agents together have used this much")
    .addOption(
      command.createOption("--enable-delegation", "let it delegate whatever the settings say").hideHelp(),
    )
    .addOption(command.createOption("--depth <levels>", "levels of workers below it, 0 to 3").hideHelp())
    .addOption(command.createOption("--delegations <count>", "workers in its whole tree").hideHelp())
    .addOption(command.createOption("--parallel <count>", "workers at the same time").hideHelp())
    .option("--fresh", "do not continue from what an earlier run left")
    .option("--detach", "return at once; watch it with ambit attach")
    .action(act((context, invocation) => runWorkflow(name, context, invocation)))
    .addHelpText(
      "after",
      `\nMore, such as --depth and --parallel: ambit help ${name} --all\nExample:\n  ${example}`,
    );
}

function addArguments(command: Command, name: WorkflowCommand): Command {
  if (name === "meta") return command.argument("[words...]", "what to generate");
  if (name === "review") return command.argument("[words...]", "a task's number, or what to review");
  return command.argument("<task>", "the task's number").argument("[words...]", "more instructions");
}

async function runWorkflow(
  command: WorkflowCommand,
  context: CommandContext,
  invocation: Invocation,
): Promise<CommandOutcome> {
  const { workflowUseCase } = await import("../../app/workflow.ts");
  const request = readRequest(command, invocation);
  const outcome = await followInTerminal(context, (app) => workflowUseCase.run(app, request));
  const { json, text } = outcome;
  if (json.outcome === null && json.summary === undefined)
    return { ...outcome, text: text.replace(" is running.", ` is running with ${json.agent}.`) };
  const isSettled = typeof json.worker === "string";
  return text === "" || !isSettled ? outcome : { ...outcome, text: renderWorkflowEnd(json) };
}

/** The first word is the task where the command is about one; `review` may be about anything. */
function readRequest(command: WorkflowCommand, invocation: Invocation) {
  const words = [...invocation.argumentList("words")];
  return {
    command,
    task: readTask(command, invocation, words)?.replace(/^#/, ""),
    words: words.join(" "),
    agent: invocation.option("agent"),
    language: invocation.option("lang"),
    timeoutSeconds: readTimeout(invocation),
    budgetUsd: readBudget(invocation),
    env: readVariables(invocation),
    flags: readLimitFlags(invocation),
    fresh: invocation.flag("fresh"),
    detach: invocation.flag("detach"),
  };
}

function readTask(command: WorkflowCommand, invocation: Invocation, words: string[]): string | undefined {
  if (command === "meta") return undefined;
  if (command !== "review") return invocation.argument("task");
  return /^#?\d+$/.test(words[0] ?? "") ? words.shift() : undefined;
}

/** The end of a workflow command: how the work ended, its documents, and where its commits are. */
function renderWorkflowEnd(answer: WorkflowAnswer): string {
  const { outcome, code, summary = "", artifacts = [] } = answer;
  const isDone = outcome === "completed";
  const [first = "", ...more] = summary.split("\n").map((line) => visibleText(line));
  return [
    `${nameOutcome(outcome ?? "open")}${typeof code === "string" ? ` (${code})` : ""}  ${first}`,
    ...more.map((line) => `  ${line}`),
    ...artifacts.map(({ type, path }) => `  ${type.padEnd(8)} ${visibleText(path)}`),
    ...renderPlace(answer, isDone),
    ...renderNext(answer, isDone),
  ].join("\n");
}

function renderPlace({ branch, proof }: WorkflowAnswer, isDone: boolean): readonly string[] {
  if (typeof branch !== "string") return [];
  if (!isDone) return [`  kept     branch ${branch}`];
  return renderProof(branch, proof, "name one in the phases of its plan, or set verification.test");
}

function renderNext({ story, command, worker }: WorkflowAnswer, isDone: boolean): readonly string[] {
  if (!isDone) return [`  look     ambit explain ${worker}    ambit diff ${worker}`];
  const hasChanges = command === "implement" || command === "meta";
  return hasChanges ? [`  next     ambit diff ${story}    ambit merge ${story}`] : [];
}
