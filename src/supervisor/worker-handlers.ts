import type { Engine } from "../orchestrator/engine.ts";
import { workerCalls } from "../orchestrator/worker-calls.ts";
import type { Handler } from "./server.ts";
import { showAgents } from "./worker-handlers/show-agents.ts";
import { diffShower, type DiffPlace } from "./worker-handlers/show-diff.ts";
import { showEvents, showOutput } from "./worker-handlers/show-log.ts";
import { showTasks } from "./worker-handlers/show-tasks.ts";
import { showTree } from "./worker-handlers/show-tree.ts";

/**
 * All a worker can ask for over its socket. Nothing here can approve in a person's name, or start, stop or show
 * anything outside the caller's own subtree; of its story it sees the tree and what happened.
 */
export function workerHandlers(engine: Engine, options: DiffPlace): ReadonlyMap<string, Handler> {
  const showDiff = diffShower(engine, options);
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
