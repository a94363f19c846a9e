import type { TaskOperation } from "../../../tasks/task.ts";
import type { ChangeOptions, TaskStore } from "../../../tasks/task-store.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { changeOptions, openTasks } from "./open-tasks.ts";
import { operationOutcome } from "./operation-outcome.ts";
import { joinSelection, splitStatus } from "./read-selection.ts";

export function setStatus(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { selection, status } = splitStatus(invocation.argumentList("tasks"));
  return change(context, invocation, (store, options) => store.updateStatus(selection, status, options));
}

export function archiveTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  return change(context, invocation, (store, options) => store.archive(selectionOf(invocation), options));
}

export function recoverTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  return change(context, invocation, (store, options) => store.recover(selectionOf(invocation), options));
}

export function abandonTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const reason = invocation.option("reason");
  const why = reason === undefined ? {} : { reason };
  return change(context, invocation, (store, options) =>
    store.abandon(selectionOf(invocation), { ...options, ...why }),
  );
}

/** All of them when none is named. */
export function syncTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const selection = selectionOf(invocation) || "all";
  return change(context, invocation, (store, options) => store.sync(selection, options));
}

async function change(
  context: CommandContext,
  invocation: Invocation,
  act: (store: TaskStore, options: ChangeOptions) => Promise<TaskOperation>,
): Promise<CommandOutcome> {
  const store = await openTasks(context);
  return operationOutcome(context, await act(store, changeOptions(invocation)));
}

function selectionOf(invocation: Invocation): string {
  return joinSelection(invocation.argumentList("tasks"));
}
