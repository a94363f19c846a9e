import { usageError } from "../../../errors/usage.ts";
import * as changes from "../../../app/change-tasks.ts";
import * as edits from "../../../app/edit-tasks.ts";
import { joinSelection, readTaskIds, splitStatus } from "../../../app/task-words.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../input/command-module.ts";
import { followInTerminal } from "../../follow/follow-in-terminal.ts";
import { operationOutcome } from "../../outcome/operation-outcome.ts";
import { readInputText } from "../../input/read-input.ts";

export async function addTask(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const input = { ...readFields(invocation), title: invocation.argument("title"), ...readMode(invocation) };
  return operationOutcome(context, await edits.addTaskUseCase.run(context, input));
}

export async function editTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const input = {
    ...readFields(invocation),
    ...readBulk(invocation),
    tasks: readSelection(invocation),
    title: invocation.option("title"),
  };
  return operationOutcome(context, await edits.editTasksUseCase.run(context, input));
}

export async function divideTask(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { divideTaskUseCase, isTaskOperation } = await import("../../../app/divide-task.ts");
  const input = {
    ...(await readParts(context, invocation)),
    ...readMode(invocation),
    task: invocation.argument("task").replace(/^#/, ""),
    prompt: invocation.option("prompt"),
    agent: invocation.option("agent"),
  };
  const outcome = await followInTerminal(context, (app) => divideTaskUseCase.run(app, input));
  return isTaskOperation(outcome.json) ? operationOutcome(context, outcome.json) : outcome;
}

export async function importTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const file = invocation.argument("file");
  const text = await readInputText(file, context);
  const input = { text, source: file === "-" ? "standard input" : file, ...readBulk(invocation) };
  return operationOutcome(context, await edits.importTasksUseCase.run(context, input));
}

export async function setStatus(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { selection: tasks, status } = splitStatus(invocation.argumentList("tasks"));
  const input = { tasks, status, ...readBulk(invocation) };
  return operationOutcome(context, await changes.setTaskStatusUseCase.run(context, input));
}

export async function archiveTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const input = { tasks: readSelection(invocation), ...readBulk(invocation) };
  return operationOutcome(context, await changes.archiveTasksUseCase.run(context, input));
}

export async function recoverTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const input = { tasks: readSelection(invocation), ...readBulk(invocation) };
  return operationOutcome(context, await changes.recoverTasksUseCase.run(context, input));
}

export async function abandonTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const reason = invocation.option("reason");
  const input = { tasks: readSelection(invocation), reason, ...readBulk(invocation) };
  return operationOutcome(context, await changes.abandonTasksUseCase.run(context, input));
}

/** All tasks are brought together when none is named. */
export async function syncTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const input = { tasks: readSelection(invocation) || "all", ...readBulk(invocation) };
  return operationOutcome(context, await changes.syncTasksUseCase.run(context, input));
}

function readMode(invocation: Invocation) {
  return { dryRun: invocation.flag("dryRun") };
}

function readBulk(invocation: Invocation) {
  return { ...readMode(invocation), continueOnError: invocation.flag("continueOnError") };
}

function readSelection(invocation: Invocation): string {
  return joinSelection(invocation.argumentList("tasks"));
}

function readFields(invocation: Invocation) {
  const dependencies = readTaskIds(invocation.option("depends"));
  return {
    description: invocation.option("description"),
    language: invocation.option("lang"),
    priority: invocation.option("priority"),
    dependencies: dependencies === undefined ? undefined : [...dependencies],
    criteria: [...invocation.optionList("accept")],
  };
}

async function readParts(context: CommandContext, invocation: Invocation) {
  const titles = [...invocation.optionList("into")];
  const file = invocation.option("from");
  if (file !== undefined && titles.length > 0)
    throw usageError("--into and --from both name the subtasks", "Give one of them.");
  if (file !== undefined) return { list: { text: await readInputText(file, context), source: file } };
  if (titles.length > 0) return { titles };
  if ((invocation.option("prompt") ?? "").trim() !== "") return {};
  throw usageError(
    "nothing says what the subtasks are",
    'Name them, as in: ambit task divide 326 --into "Interface" "Backend" "Tests"; or let an agent propose them with --prompt.',
  );
}
