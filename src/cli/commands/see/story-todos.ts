import type { StoreReader } from "../../../journal/store.ts";
import { viewTodos, type TodoView } from "../../../journal/todo-view.ts";

const MOST_MESSAGES = 1000;

/** All task lists of a story's managers, with what has become of each task. */
export async function readStoryTodos(reader: StoreReader, story: string): Promise<readonly TodoView[]> {
  const todos = await reader.todos({ story });
  if (todos.length === 0) return [];
  const delegations = await reader.storyTree(story);
  return viewTodos({ todos, delegations, messages: await reader.messages({ story, limit: MOST_MESSAGES }) });
}
