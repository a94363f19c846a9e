import * as z from "zod";
import { listDefinitions, type ListedDefinition } from "../../agents/definitions.ts";
import { delegationStatus } from "../../journal/delegation-status.ts";
import type { Engine } from "../../orchestrator/engine.ts";
import { identify, readFields } from "../../orchestrator/worker-calls.ts";

const agentsSchema = z.strictObject({});
const MOST_AGENTS = 200;
const LONGEST_DESCRIPTION = 300;

/**
 * Agents the caller may name in a delegation, with what they are for, each name once; and the caller's own workers that
 * are there now, with how long each has been silent (R126).
 */
export async function showAgents(engine: Engine, projectRoot: string, input: unknown): Promise<object> {
  const { caller, fields } = identify(engine, input);
  readFields(agentsSchema, fields);
  const { defaultAgent } = await engine.tools.settings();
  const listed = await listDefinitions(projectRoot, defaultAgent);
  const agents = listed.filter(({ shadowedBy }) => shadowedBy === undefined).slice(0, MOST_AGENTS);
  return {
    default: defaultAgent,
    agents: agents.map(tell),
    workers: await tellWorkers(engine, caller.id),
  };
}

/** One that cannot be used is told as well: a manager that misses it learns why. */
function tell({ name, definition, problem }: ListedDefinition): object {
  return {
    name,
    description: (definition?.description ?? "").slice(0, LONGEST_DESCRIPTION),
    adapter: definition?.adapter ?? null,
    model: definition?.model ?? null,
    problem: problem ?? null,
  };
}

async function tellWorkers(engine: Engine, manager: string): Promise<readonly object[]> {
  const self = await engine.read(manager);
  const tree = self.workers === 0 ? [] : await engine.tools.store.storyTree(self.story);
  const nowMs = engine.tools.clock.monotonicMs();
  return tree
    .filter(({ parent, state }) => parent === manager && state !== "closed")
    .map((worker) => {
      const silentMs = engine.live.health.readSilenceMs(worker.id, nowMs);
      return {
        delegation_id: worker.id,
        agent: worker.agent,
        task_id: worker.todo,
        status: delegationStatus(worker),
        silent_seconds: silentMs === undefined ? null : Math.round(silentMs / 1000),
      };
    });
}
