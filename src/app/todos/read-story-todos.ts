import * as z from "zod";
import { delegationStates, outcomes } from "../../contract/outcome.ts";
import type { StoreReader } from "../../journal/store.ts";
import { buildTodoDocument, buildChecklist, type TodoDocument } from "../../journal/todo-view.ts";

/** One task of a manager's list, with what became of it. */
export const todoSchema = () =>
  z.looseObject({
    id: z.string(),
    manager: z.string().describe("The delegation whose list it is on"),
    content: z.string(),
    activeForm: z.string(),
    status: z.enum(["pending", "in_progress", "delegated", "completed"]),
    acceptance_criteria: z.array(z.string()),
    delegated_to: z.string().nullable(),
    context: z.string().nullable(),
    delegation_id: z.string().nullable(),
    delegate_session_id: z.string().nullable(),
    worker_state: z.enum(delegationStates).nullable(),
    outcome: z.enum(outcomes).nullable(),
    code: z.string().nullable(),
    result_summary: z.string().nullable(),
    blocked: z.looseObject({ reason: z.string() }).nullable(),
  });

const MAX_MESSAGES = 1000;

/** All task lists of a story's managers, with what became of each task. */
export async function readStoryTodos(reader: StoreReader, story: string): Promise<TodoDocument[]> {
  const todos = await reader.todos({ story });
  if (todos.length === 0) return [];
  const delegations = await reader.storyTree(story);
  const messages = await reader.messages({ story, limit: MAX_MESSAGES });
  return buildChecklist({ todos, delegations, messages }).map(buildTodoDocument);
}
