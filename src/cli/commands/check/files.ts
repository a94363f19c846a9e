import { checkTodos } from "../../../contract/todo-item.ts";
import { returnCaps } from "../../../contract/read-return.ts";
import { validateReturnBytes } from "../../../contract/validate-return.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { readInput, readInputText } from "../../read-input.ts";
import { probeArtifacts } from "./probe-artifacts.ts";
import { verdictOutcome } from "../../verdict-outcome.ts";

export async function checkReturn(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const session = invocation.option("session");
  const root = invocation.option("root");
  const probe = root === undefined ? undefined : probeArtifacts(root, context.directory);
  const { bytes } = await readInput(invocation.argument("file"), context, returnCaps.bytes);
  const verdict = validateReturnBytes(bytes, {
    ...(session === undefined ? {} : { session }),
    ...(probe === undefined ? {} : { probe }),
  });
  for (const warning of verdict.warnings) context.warn(warning.message);
  const failures = verdict.valid ? [] : verdict.problems;
  const details = verdict.valid ? { status: verdict.value.status } : { problems: failures };
  const fields = { valid: verdict.valid, ...details, warnings: verdict.warnings };
  const passed = verdict.valid ? `valid return: ${verdict.value.status}` : "";
  return verdictOutcome({ fields, passed, failures }, context);
}

export async function checkTodoList(
  context: CommandContext,
  invocation: Invocation,
): Promise<CommandOutcome> {
  const text = await readInputText(invocation.argument("file"), context);
  const { valid, problems, todos } = checkTodos(text);
  const details = valid ? {} : { problems };
  const passed = `valid list: ${todos.length} task${todos.length === 1 ? "" : "s"}`;
  return verdictOutcome({ fields: { valid, ...details }, passed, failures: problems }, context);
}
