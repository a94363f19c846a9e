import { systemClock } from "../../../base/clock.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { StoreReader } from "../../../journal/store.ts";
import { todoDocument, type TodoView } from "../../../journal/todo-view.ts";
import { buildStatus, statusDocument } from "../../../reports/status.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { paint } from "../../render/paint.ts";
import { renderStatusReport } from "../../render/status-report.ts";
import { terminalWidth } from "../../render/terminal-width.ts";
import { renderTodoLists } from "../../render/todo-list.ts";
import { readStoryTodos } from "../see/story-todos.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";

/** `spare` columns at the end of each line stay free, for who draws over them. */
export function showStatus(
  context: CommandContext,
  invocation: Invocation,
  spare = 0,
): Promise<CommandOutcome> {
  const columns = terminalWidth(context.environment);
  return readStore(context, async (reader) => {
    const target = await findTarget(reader, invocation.argument("story"));
    if (reader === undefined || target === undefined) return emptyStatus;
    const report = buildStatus(target.story, await reader.storyTree(target.story.id));
    const others = await otherOpenStories(reader, target.story.id);
    const text = renderStatusReport(report, {
      ascii: context.ascii,
      width: columns === undefined ? undefined : Math.max(1, columns - spare),
      paint: paint(context.color("stdout")),
      nowMs: systemClock.wallMs(),
      all: invocation.flag("all"),
    });
    const todos = await readStoryTodos(reader, target.story.id);
    return {
      exitCode: exitCode.completed,
      json: { ...statusDocument(report), todos: todos.map(todoDocument), other_open_stories: others },
      text: text + renderTodos(context, todos) + renderOthers(others),
    };
  });
}

function renderTodos(context: CommandContext, todos: readonly TodoView[]): string {
  if (todos.length === 0) return "";
  const { ascii, verbose } = context;
  return `\n\n${renderTodoLists(todos, { ascii, verbose, paint: paint(context.color("stdout")) })}`;
}

const OTHERS_SHOWN = 5;

function renderOthers(stories: readonly string[]): string {
  if (stories.length === 0) return "";
  const more = stories.length > OTHERS_SHOWN ? ` and ${stories.length - OTHERS_SHOWN} more` : "";
  return `\n\nAlso open: ${stories.slice(0, OTHERS_SHOWN).join(", ")}${more}`;
}

const emptyStatus: CommandOutcome = {
  exitCode: exitCode.completed,
  json: { story: null, needs_you: [], working: [], queued: [], done: [], other_open_stories: [] },
  text: nothingYet,
};

const OPEN_SEARCHED = 1000;

async function otherOpenStories(reader: StoreReader, story: string): Promise<readonly string[]> {
  return (await reader.openStories(OPEN_SEARCHED)).filter((id) => id !== story);
}
