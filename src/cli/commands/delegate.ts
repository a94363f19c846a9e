import type { Command } from "commander";
import { usageError } from "../../errors/usage.ts";
import { exitCodeFor } from "../../contract/error-code.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { parseWholeNumber } from "../input/option-values.ts";
import { checkOption, readFilled, readScope } from "./story-options.ts";

export function register(command: Command, act: Act): void {
  command
    .description("For agents inside a story: delegate a part of the work to another agent.")
    .argument("[description]", "the work to do")
    .option("--agent <name>", "the agent that does it")
    .option("--accept <criterion...>", "a condition that the work must meet")
    .addOption(checkOption(command))
    .option("--scope <glob...>", "files it may change")
    .option("--depends-on <id...>", "delegations it waits for; #1 is the first of --tasks")
    .option("--priority <number>", "higher starts first; or low, medium, high")
    .option("--context <text>", "background for the worker")
    .option("--budget <dollars>", "the share of your budget that it gets")
    .option("--timeout <seconds>", "how long it may take")
    .option("--tasks <json>", "several: a list of {description, agent, accept, …}")
    .option("--wait <seconds>", "how long to wait for the results", "60")
    .action(act(delegateTasks))
    .addHelpText(
      "after",
      "\nExample:\n  ambit delegate \"Write the tests\" --agent tester --check 'npm test'",
    );
}

async function delegateTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const waitSeconds = parseWholeNumber(invocation.option("wait") ?? "60", "--wait");
  const tasks = readTasks(invocation);
  const { delegateUseCase } = await import("../../app/delegate.ts");
  const json = await delegateUseCase.run(context, { tasks, waitSeconds });
  const lines = json.tasks.map((task) => {
    if (!task.admitted) return `refused  ${task.explanation}`;
    if (task.result === null) return `at work  ${task.delegation_id}`;
    return `${task.result.success ? "done   " : "failed "}  ${task.delegation_id}  ${JSON.stringify(task.result)}`;
  });
  const [refused] = json.tasks.flatMap((task) => (task.admitted ? [] : [task.codes[0] ?? "USAGE"]));
  return {
    exitCode: refused === undefined ? exitCode.completed : exitCodeFor(refused),
    json,
    text: [...lines, json.advice].join("\n"),
  };
}

function readTasks(invocation: Invocation): unknown {
  const json = invocation.option("tasks");
  const description = invocation.argument("description");
  if ((json === undefined) === (description === ""))
    throw usageError("give one description or --tasks", 'For example: ambit delegate "Write the tests"');
  if (json !== undefined) return parseTasks(json);
  const request = {
    description,
    accept: readCriteria(invocation),
    file_scope: readScope(invocation),
    depends_on: readList(invocation, "dependsOn"),
    agent: invocation.option("agent"),
    priority: invocation.option("priority"),
    context: invocation.option("context"),
    budget_usd: invocation.option("budget"),
    timeout_seconds: invocation.option("timeout"),
  };
  return [request];
}

/** Criteria of agents are texts, and a command in backticks is a check. */
function readCriteria(invocation: Invocation): readonly string[] | undefined {
  const checks = readFilled(invocation, "check") ?? [];
  const quoted = checks.find((command) => command.includes("`"));
  if (quoted !== undefined)
    throw usageError(`--check ${quoted} contains a backtick`, "Put it into a script, and name the script.");
  const criteria = checks.map((command) => `\`${command}\` exits with code 0`);
  const accepted = readFilled(invocation, "accept");
  return checks.length === 0 ? accepted : [...(accepted ?? []), ...criteria];
}

function readList(invocation: Invocation, name: string): readonly string[] | undefined {
  const values = invocation.optionList(name);
  return values.length === 0 ? undefined : values;
}

function parseTasks(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError("--tasks is not JSON", 'Give a list such as [{"description": "Write the tests"}].');
  }
}
