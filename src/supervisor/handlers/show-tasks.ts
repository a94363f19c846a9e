import { homedir } from "node:os";
import * as z from "zod";
import { loadConfig } from "../../config/load-config.ts";
import { buildTodoDocument } from "../../journal/todo-view.ts";
import type { Engine } from "../../orchestrator/engine.ts";
import { readTodoList } from "../../orchestrator/todo-state.ts";
import { identifyCaller, readFields } from "../../orchestrator/worker-calls.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import { describeTasks } from "../../tasks/describe-tasks.ts";
import type { TaskReader } from "../../tasks/read-tasks.ts";
import type { DiffPlace } from "./show-diff.ts";

const tasksSchema = z.strictObject({ id: z.string().min(1).max(400).optional() });

/** The caller's own list and the project's tasks; or one task of either by its id, in full. */
export async function showTasks(engine: Engine, place: DiffPlace, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const { id } = readFields(tasksSchema, fields);
  const { views } = await readTodoList(engine.tools, await engine.read(caller.id));
  const todo = views.find((one) => one.id === id);
  if (todo !== undefined) return { todo: buildTodoDocument(todo) };
  const reader = await openReader(place);
  if (id !== undefined) return describeTasks(reader, id);
  return { todos: views.map(buildTodoDocument), ...describeTasks(reader, undefined) };
}

/** Loaded with the first call, because most workers never ask. */
async function openReader({ projectRoot, environment }: DiffPlace): Promise<TaskReader> {
  const homeDirectory = environment["HOME"] ?? homedir();
  const { values } = await loadConfig({ projectRoot, environment, homeDirectory });
  const { openTaskReader } = await import("../../tasks/read-tasks.ts");
  const stateDirectory = getStateDirectory(projectRoot);
  return openTaskReader({ projectRoot, dir: values.tasks.dir, stateDirectory });
}
