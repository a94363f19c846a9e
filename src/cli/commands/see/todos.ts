import { exitCode } from "../../../contract/exit-code.ts";
import { todoDocument } from "../../../journal/todo-view.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { paint } from "../../render/paint.ts";
import { renderTodoLists } from "../../render/todo-list.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";
import { readStoryTodos } from "./story-todos.ts";

/** What the managers of a story have on their lists, and who does it; no supervisor is needed to see it. */
export function showTodos(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  return readStore(context, async (reader) => {
    const target = await findTarget(reader, invocation.argument("story"));
    if (reader === undefined || target === undefined)
      return { exitCode: exitCode.completed, json: { story: null, todos: [] }, text: nothingYet };
    const all = await readStoryTodos(reader, target.story.id);
    const { id, story } = target;
    const todos = id === story.id ? all : all.filter(({ manager }) => manager === id);
    const text = renderTodoLists(todos, {
      ascii: context.ascii,
      verbose: context.verbose,
      paint: paint(context.color("stdout")),
    });
    return {
      exitCode: exitCode.completed,
      json: { story: story.id, todos: todos.map(todoDocument) },
      text: text === "" ? `No manager of ${story.id} keeps a task list.` : text,
    };
  });
}
