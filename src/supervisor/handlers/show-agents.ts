import * as z from "zod";
import { listDefinitions, type ListedDefinition } from "../../agents/definitions.ts";
import { delegationStatus } from "../../journal/delegation-status.ts";
import type { Engine } from "../../orchestrator/engine.ts";
import { identifyCaller, readFields } from "../../orchestrator/worker-calls.ts";

const agentsSchema = z.strictObject({});
const MAX_AGENTS = 200;
const MAX_DESCRIPTION_LENGTH = 300;

/**
 * Lists the agents the caller may name in a delegation, each name once, and the caller's own open workers with how long
 * each has been silent (R126).
 */
export async function showAgents(engine: Engine, projectRoot: string, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  readFields(agentsSchema, fields);
  const { defaultAgent } = await engine.tools.settings();
  const listed = await listDefinitions(projectRoot, defaultAgent);
  const agents = listed.filter(({ shadowedBy }) => shadowedBy === undefined).slice(0, MAX_AGENTS);
  return {
    default: defaultAgent,
    agents: agents.map(describeAgent),
    workers: await describeWorkers(engine, caller.id),
  };
}

/** Agents that cannot be used are listed too, so that a manager learns why. */
function describeAgent({ name, definition, problem }: ListedDefinition): object {
  return {
    name,
    description: (definition?.description ?? "").slice(0, MAX_DESCRIPTION_LENGTH),
    adapter: definition?.adapter ?? null,
    model: definition?.model ?? null,
    problem: problem ?? null,
  };
}

async function describeWorkers(engine: Engine, manager: string): Promise<readonly object[]> {
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
