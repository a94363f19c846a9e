import type { NewSubtask } from "../../../tasks/task.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { changeOptions, openTasks } from "./open-tasks.ts";
import { operationOutcome } from "./operation-outcome.ts";
import { readSubtasks } from "./read-subtasks.ts";

export async function divideTask(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const subtasks = await subtasksOf(context, invocation);
  const prompt = invocation.option("prompt");
  const store = await openTasks(context);
  const division = { subtasks, ...(prompt === undefined ? {} : { prompt }) };
  const task = invocation.argument("task").replace(/^#/, "");
  return operationOutcome(context, await store.divide(task, division, changeOptions(invocation)));
}

async function subtasksOf(context: CommandContext, invocation: Invocation): Promise<readonly NewSubtask[]> {
  const titles = invocation.optionList("into");
  const file = invocation.option("from");
  if (file !== undefined && titles.length > 0)
    throw usage("--into and --from both name the subtasks", "Give one of them.");
  if (file !== undefined) return readSubtasks(context, file);
  if (titles.length > 0) return titles.map((title) => ({ title }));
  throw usage(
    "nothing says what the subtasks are",
    'As in: ambit task divide 326 --into "Interface" "Backend" "Tests"',
  );
}
