import type { Command } from "commander";
import { nothingYet } from "../render/nothing-yet.ts";
import { exitCodeFor } from "../../contract/error-code.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { paint } from "../terminal/paint.ts";
import { readInputText } from "../input/read-input.ts";
import { renderTodoLists } from "../render/todo-list.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Show the checklists of a story's managers: who does each item, and how far it is.")
    .argument("[story]", "story or manager; by default the newest story")
    .option("--update <json>", "for agents inside a story: items to add or change; - for stdin")
    .action(
      act((context, invocation) => {
        const update = invocation.option("update");
        return update === undefined ? showTodos(context, invocation) : updateTodos(context, update);
      }),
    )
    .addHelpText(
      "after",
      `
Examples:
  ambit checklist --verbose
  ambit checklist --update '[{"id":"docs","status":"completed"}]'`,
    );
}

async function showTodos(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { todosUseCase } = await import("../../app/todos.ts");
  const json = await todosUseCase.run(context, { story: invocation.argument("story") });
  if (json.story === null) return { exitCode: exitCode.completed, json, text: nothingYet };
  const { ascii, verbose } = context;
  const text = renderTodoLists(json.todos, { ascii, verbose, paint: paint(context.color("stdout")) });
  const empty = `No manager of ${json.story} keeps a checklist.`;
  return { exitCode: exitCode.completed, json, text: text === "" ? empty : text };
}

async function updateTodos(context: CommandContext, update: string): Promise<CommandOutcome> {
  const { updateTodosUseCase } = await import("../../app/update-todos.ts");
  const todos = update === "-" ? await readInputText("-", context) : update;
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
