import * as z from "zod";
import { findTarget } from "./project/find-target.ts";
import { readStore } from "./project/open-project.ts";
import { readStoryTodos, todoSchema } from "./todos/read-story-todos.ts";
import { defineUseCase } from "./use-case.ts";

export { formatTodoLines } from "../journal/todo-lines.ts";
export type { TodoDocument } from "../journal/todo-view.ts";

const input = () =>
  z.strictObject({
    story: z.string().default("").describe("A story or one of its managers; the newest story by default"),
  });

const output = () =>
  z.looseObject({
    story: z.string().nullable().describe("Null before the first story"),
    todos: z.array(todoSchema()),
  });

/** The task lists that the managers of a story keep, and who does each task. */
export const todosUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: (context, { story: word }) =>
    readStore(context, async (reader) => {
      const target = await findTarget(reader, word);
      if (reader === undefined || target === undefined) return { story: null, todos: [] };
      const { id, story } = target;
      const todos = await readStoryTodos(reader, story.id);
      const own = id === story.id ? todos : todos.filter(({ manager }) => manager === id);
      return { story: story.id, todos: own };
    }),
});
