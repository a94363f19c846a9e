import type { Command } from "commander";
import type { ErrorList } from "../../app/list-errors.ts";
import { visibleText } from "../../base/visible-text.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderColumns } from "../render/columns.ts";
import { dayAndMinute } from "../render/time-of-day.ts";
import { cutText } from "../terminal/text-width.ts";

export function register(command: Command, act: Act): void {
  command
    .description("List recent failures: rejected returns, timeouts, failed checks, refusals.")
    .option("--story <id>", "only errors of this story")
    .option("--task <number>", "only errors of this task")
    .option("--type <type>", "only one kind: timeout, validation, execution, refused, …")
    .option("--list", "list every error instead of groups")
    .action(act(showErrors))
    .addHelpText("after", "\nExample:\n  ambit errors --task 191");
}

async function showErrors(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { listErrorsUseCase } = await import("../../app/list-errors.ts");
  const json = await listErrorsUseCase.run(context, {
    story: invocation.option("story"),
    task: invocation.option("task"),
    type: invocation.option("type"),
  });
  return { exitCode: exitCode.completed, json, text: renderErrors(json, invocation.flag("list")) };
}

const MAX_SHOWN = 100;

function renderErrors({ errors, groups }: ErrorList, isList: boolean): string {
  const [first] = groups;
  if (first === undefined) return "Nothing went wrong.";
  const rows = isList ? renderList(errors) : renderGroups(groups);
  const shown = renderColumns(rows.map((row) => row.map((cell) => visibleText(cell))));
  return isList ? shown : `${shown}\n\nMost often: ${visibleText(first.recommendation)}`;
}

function renderGroups(groups: ErrorList["groups"]): readonly (readonly string[])[] {
  const rows = groups
    .slice(0, MAX_SHOWN)
    .map(({ count, type, code, subagent, story, last }) => [
      String(count),
      type,
      code,
      subagent ?? "-",
      story,
      dayAndMinute(last),
    ]);
  return [["times", "type", "code", "agent", "last in", "last"], ...rows];
}

const MAX_MESSAGE = 60;

function renderList(errors: ErrorList["errors"]): readonly (readonly string[])[] {
  const rows = errors
    .slice(-MAX_SHOWN)
    .map(({ at, story, task_number: task, subagent, code, message }) => [
      dayAndMinute(at),
      story,
      String(task ?? "-"),
      subagent ?? "-",
      code,
      cutText(message.split("\n")[0] ?? "", MAX_MESSAGE),
    ]);
  return [["at", "story", "task", "agent", "code", "what"], ...rows];
}
