import type { Command } from "commander";
import type { WorkflowCommand } from "../../contract/workflow-request.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { followInTerminal } from "../follow/follow-in-terminal.ts";
import { optionalWholeNumber } from "../input/option-values.ts";
import { renderWorkflowEnd } from "../render/workflow-end.ts";
import { readBudget } from "./story-options.ts";

export interface WorkflowText {
  readonly description: string;
  readonly example: string;
}

/** Declares one workflow command: all of them have the same options and the same action. */
export function registerWorkflow(
  command: Command,
  act: Act,
  text: WorkflowText & { readonly name: WorkflowCommand },
): void {
  addArguments(command.description(text.description), text.name)
    .option("--agent <name>", "use this agent instead of the routed one")
    .option("--lang <name>", "route as if the task were in this language")
    .option("--timeout <seconds>", "stop the agent after this long")
    .option("--budget <dollars>", "stop when all agents have used this much")
    .option("--fresh", "do not continue from what an earlier run left")
    .option("--detach", "return at once; watch it with ambit attach")
    .action(act((context, invocation) => runWorkflow(text.name, context, invocation)))
    .addHelpText("after", `\nExample:\n  ${text.example}`);
}

function addArguments(command: Command, name: WorkflowCommand): Command {
  if (name === "meta") return command.argument("[words...]", "what is wanted");
  if (name === "review") return command.argument("[words...]", "a task's number, or what to review");
  return command.argument("<task>", "the task's number").argument("[words...]", "anything to add");
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
    timeoutSeconds: optionalWholeNumber(invocation, "timeout"),
    budgetUsd: readBudget(invocation),
    fresh: invocation.flag("fresh"),
    detach: invocation.flag("detach"),
  };
}

function readTask(command: WorkflowCommand, invocation: Invocation, words: string[]): string | undefined {
  if (command === "meta") return undefined;
  if (command !== "review") return invocation.argument("task");
  return /^#?\d+$/.test(words[0] ?? "") ? words.shift() : undefined;
}
