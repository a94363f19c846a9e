import { exitCodeFor } from "../../../contract/error-code.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { updateTodosUseCase } from "../../../app/update-todos.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { readInputText } from "../../read-input.ts";

/** The same as the tool task_update, from an agent's shell. */
export async function updateTodos(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const given = invocation.option("update") ?? "";
  const todos = given === "-" ? await readInputText("-", context) : given;
  const json = await updateTodosUseCase.run(context, { todos });
  const refused = json.delegations.find(({ admitted }) => !admitted);
  const lines = [
    ...json.problems.map(({ code, message }) => `refused  ${code}: ${message}`),
    ...json.warnings.map((warning) => `warning  ${warning}`),
    ...json.delegations.map((one) =>
      one.admitted
        ? `at work  ${one.todo} ${one.delegation_id ?? ""}`
        : `refused  ${one.todo} ${one.explanation}`,
    ),
    ...json.todos.map(({ id, status, content }) => `[${status}] ${id}: ${content}`),
    json.advice,
  ];
  const [code] = json.accepted ? (refused?.codes ?? []) : json.codes;
  return {
    exitCode: code === undefined ? exitCode.completed : exitCodeFor(code.split(":", 1)[0] ?? code),
    json,
    text: lines.filter((line) => line !== "").join("\n"),
  };
}
