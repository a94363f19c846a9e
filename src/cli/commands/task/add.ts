import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { changeOptions, openTasks } from "./open-tasks.ts";
import { operationOutcome } from "./operation-outcome.ts";
import { readTaskFields } from "./task-fields.ts";

export async function addTask(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const store = await openTasks(context);
  const task = { ...readTaskFields(invocation), title: invocation.argument("title") };
  return operationOutcome(context, await store.create(task, changeOptions(invocation)));
}
