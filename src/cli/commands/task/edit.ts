import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { changeOptions, openTasks } from "./open-tasks.ts";
import { operationOutcome } from "./operation-outcome.ts";
import { joinSelection } from "./read-selection.ts";
import { readTaskFields } from "./task-fields.ts";

export async function editTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const title = invocation.option("title");
  const { criteria, ...plain } = readTaskFields(invocation);
  const fields = {
    ...plain,
    ...(title === undefined ? {} : { title }),
    ...(criteria === undefined ? {} : { extra: { criteria } }),
  };
  if (Object.keys(fields).length === 0)
    throw usage(
      "nothing says what to change",
      "Add --title, --description, --lang, --priority, --depends or --accept.",
    );
  const store = await openTasks(context);
  const selection = joinSelection(invocation.argumentList("tasks"));
  return operationOutcome(context, await store.updateMetadata(selection, fields, changeOptions(invocation)));
}
