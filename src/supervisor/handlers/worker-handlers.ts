import * as z from "zod";
import { DelegationError } from "../../base/delegation-error.ts";
import { clusterErrors } from "../../errors/cluster.ts";
import {
  type EngineCalls,
  identifyCaller,
  readFields,
  workerCalls,
} from "../../orchestrator/worker-calls.ts";
import type { Handler } from "../socket/socket-server.ts";
import { pickStoryTools } from "../../orchestrator/story-caller.ts";
import { buildTodoDocument } from "../../journal/todo-view.ts";
import { readTodoList } from "../../orchestrator/todo-state.ts";
import { describeTasks } from "../../tasks/describe-tasks.ts";
import type { TaskReader } from "../../tasks/read-tasks.ts";
import { renderTreeText } from "../../reports/tree-text.ts";
import { buildTree, buildTreeDocument } from "../../reports/tree.ts";
import { showAgents } from "./show-agents.ts";
import { createDiffHandler, type DiffPlace } from "./show-diff.ts";
import { showEvents, showOutput } from "./show-log.ts";

const treeSchema = z.strictObject({});

type AnswerWorker = (parameters: unknown) => Promise<unknown>;

const tasksSchema = z.strictObject({ id: z.string().min(1).max(400).optional() });

/**
 * Everything a worker can ask for over its socket. None of it can approve in a person's name, or start, stop or show
 * anything outside the caller's own subtree, except the tree and the events of its story.
 */
export function createWorkerHandlers(engine: EngineCalls, options: DiffPlace): ReadonlyMap<string, Handler> {
  const showDiff = createDiffHandler(engine, options);
  const handlers: readonly (readonly [string, AnswerWorker])[] = [
    ...Object.entries(workerCalls).map(([name, call]): [string, AnswerWorker] => [
      name,
      (parameters) => call(engine, parameters),
    ]),
    ["tree", (parameters) => showTree(engine, parameters)],
    ["diff", (parameters) => showDiff(parameters)],
    ["log", (parameters) => showEvents(engine, parameters)],
    ["output", (parameters) => showOutput(engine, parameters)],
    ["tasks", (parameters) => showTasks(engine, parameters)],
    ["list_agents", (parameters) => showAgents(engine, parameters)],
  ];
  return new Map(handlers.map(([name, answer]) => [name, hidingAddresses(answer)]));
}

/** An agent learns that the database or the hub is away, and not where it is. */
function hidingAddresses(answer: AnswerWorker): Handler {
  return async (parameters) => {
    try {
      return await answer(parameters);
    } catch (error) {
      throw namesAddress(error) ? clusterErrors.awayForAgents(error) : error;
    }
  };
}

function namesAddress(error: unknown): boolean {
  if (!(error instanceof DelegationError)) return false;
  return (
    error.code.startsWith("CLUSTER_") || error.code === "STORE_DIVERGED" || error.code === "STORE_TOO_NEW"
  );
}

/** The caller's own list and the project's tasks; or one task of either list by its id, in full. */
async function showTasks(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  const { id } = readFields(tasksSchema, fields);
  const self = await engine.read(caller.id);
  const { views } = await readTodoList(engine.tools, self);
  const todo = views.find((one) => one.id === id);
  if (todo !== undefined) return { todo: buildTodoDocument(todo) };
  const reader = await openReader(engine, self.story);
  if (id !== undefined) return describeTasks(reader, id);
  return { todos: views.map(buildTodoDocument), ...describeTasks(reader, undefined) };
}

/** The reader is loaded with the first call, because most workers never ask. */
async function openReader(engine: EngineCalls, story: string): Promise<TaskReader> {
  const { workflow, stateDirectory } = await pickStoryTools(engine.tools, story);
  const { dir } = await workflow.settings();
  const { openTaskReader } = await import("../../tasks/read-tasks.ts");
  return openTaskReader({ projectRoot: workflow.projectRoot, dir, stateDirectory });
}

/** The whole tree of the caller's story. */
async function showTree(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  readFields(treeSchema, fields);
  const { story } = await engine.read(caller.id);
  const root = buildTree(await engine.tools.store.storyTree(story), story);
  if (root === undefined) throw new TypeError(`${story} is not in the store`);
  return {
    story,
    you: caller.id,
    // The process that answers drives the story, so the story is not interrupted.
    interrupted: false,
    tree: buildTreeDocument(root),
    text: renderTreeText(root, { ascii: false }),
  };
}
