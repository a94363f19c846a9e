import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { readInputText } from "../../read-input.ts";
import { changeOptions, openTasks } from "./open-tasks.ts";
import { operationOutcome } from "./operation-outcome.ts";

export async function importTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const file = invocation.argument("file");
  const text = await readInputText(file, context);
  const store = await openTasks(context);
  const source = file === "-" ? "standard input" : file;
  return operationOutcome(context, await store.importTasks({ text, source }, changeOptions(invocation)));
}
