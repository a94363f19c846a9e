import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../input/command-module.ts";
import { renderTaskCard } from "../../render/task-card.ts";
import { renderTaskList } from "../../render/task-list.ts";
import { terminalWidth } from "../../terminal/terminal-width.ts";

/** `ambit task list` */
export async function listTasks(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { listTasksUseCase } = await import("../../../app/list-tasks.ts");
  const archived = invocation.flag("archived");
  const json = await listTasksUseCase.run(context, {
    statuses: readWords(invocation, "status"),
    languages: readWords(invocation, "lang"),
    priorities: readWords(invocation, "priority"),
    archived,
  });
  // A thousand tasks are not rendered for a program that reads JSON.
  const text = context.json ? "" : renderList(context, json, archived ? "archived" : "active");
  return { exitCode: exitCode.completed, json, text };
}

/** Each option takes several words, separated by commas. */
function readWords(invocation: Invocation, option: string): string[] {
  const words = (invocation.option(option) ?? "").split(",").map((word) => word.trim());
  return words.filter((word) => word !== "");
}

interface Listing {
  readonly tasks: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: string;
    readonly status_text: string;
    readonly priority: string;
    readonly language: string;
    readonly only_in_todo?: true | undefined;
  }[];
  readonly total: number;
}

function renderList(
  context: CommandContext,
  { tasks, total }: Listing,
  place: "active" | "archived",
): string {
  if (total === 0) {
    return place === "archived"
      ? "Nothing is archived."
      : 'There are no tasks yet. Add one: ambit task add "What is to be done"';
  }
  if (tasks.length === 0) return `None of the ${total} ${place} tasks matches.`;
  const rows = tasks.map(({ id, title, status, status_text: written, priority, language }) => {
    // The word of another tool is marked.
    const shown = status === "unknown" ? `${written}?` : status;
    return { id, title, status: shown, priority, language };
  });
  const width = terminalWidth(context.environment);
  return [renderTaskList(rows, { ascii: context.ascii, width }), ...describeTodoOnly(tasks)].join("\n");
}

const MAX_NAMED = 5;

function describeTodoOnly(tasks: Listing["tasks"]): readonly string[] {
  const ids = tasks.filter((task) => task.only_in_todo === true).map(({ id }) => id);
  if (ids.length === 0) return [];
  const more = ids.length > MAX_NAMED ? ", …" : "";
  const named = `${ids.slice(0, MAX_NAMED).join(", ")}${more}`;
  return [`${ids.length} only in TODO.md (${named}); take them in with ambit task sync`];
}

/** `ambit task show` */
export async function showTask(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { showTaskUseCase } = await import("../../../app/show-task.ts");
  const json = await showTaskUseCase.run(context, { id: invocation.argument("task").replace(/^#/, "") });
  return { exitCode: exitCode.completed, json, text: context.json ? "" : renderTaskCard(json) };
}
