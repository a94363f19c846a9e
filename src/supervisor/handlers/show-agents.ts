import * as z from "zod";
import { listNamedAgents } from "../../agents/definitions.ts";
import { delegationStatus } from "../../journal/delegation-status.ts";
import type { Engine } from "../../orchestrator/engine.ts";
import { identifyCaller, readFields } from "../../orchestrator/worker-calls.ts";

const agentsSchema = z.strictObject({});

/**
 * Lists the agents the caller may name in a delegation, each name once, and the caller's own open workers with how long
 * each has been silent (R126).
 */
export async function showAgents(engine: Engine, projectRoot: string, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  readFields(agentsSchema, fields);
  const { defaultAgent } = await engine.tools.settings();
  return {
    default: defaultAgent,
    agents: await listNamedAgents(projectRoot, defaultAgent, (await engine.read(caller.id)).path),
    workers: await describeWorkers(engine, caller.id),
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
