import type { Engine } from "../../orchestrator/engine.ts";
import { workerCalls } from "../../orchestrator/worker-calls.ts";
import type { Handler } from "../socket/socket-server.ts";
import { showAgents } from "./show-agents.ts";
import { createDiffHandler, type DiffPlace } from "./show-diff.ts";
import { showEvents, showOutput } from "./show-log.ts";
import { showTasks } from "./show-tasks.ts";
import { showTree } from "./show-tree.ts";

/**
 * Everything a worker can ask for over its socket. None of it can approve in a person's name, or start, stop or show
 * anything outside the caller's own subtree, except the tree and the events of its story.
 */
export function createWorkerHandlers(engine: Engine, options: DiffPlace): ReadonlyMap<string, Handler> {
  const showDiff = createDiffHandler(engine, options);
  return new Map<string, Handler>([
    ...Object.entries(workerCalls).map(([name, call]): [string, Handler] => [
      name,
      (parameters) => call(engine, parameters),
    ]),
    ["tree", (parameters) => showTree(engine, parameters)],
    ["diff", (parameters) => showDiff(parameters)],
    ["log", (parameters) => showEvents(engine, parameters)],
    ["output", (parameters) => showOutput(engine, parameters)],
    ["tasks", (parameters) => showTasks(engine, options, parameters)],
    ["list_agents", (parameters) => showAgents(engine, options.projectRoot, parameters)],
  ]);
}
