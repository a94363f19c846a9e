import * as z from "zod";
import { listNamedAgents } from "../../agents/definitions.ts";
import { delegationStatus } from "../../journal/delegation-status.ts";
import { pickStoryTools } from "../../orchestrator/story-caller.ts";
import { identifyCaller, readFields, type EngineCalls } from "../../orchestrator/worker-calls.ts";

const agentsSchema = z.strictObject({});

/**
 * Lists the agents the caller may name in a delegation, each name once, the caller's own open workers with how long each has
 * been silent (R126) or why it waits, and in a cluster the machines that take work, with the pools they serve (R189).
 */
export async function showAgents(engine: EngineCalls, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  readFields(agentsSchema, fields);
  const { path, story } = await engine.read(caller.id);
  const { environment, settings, workflow } = await pickStoryTools(engine.tools, story);
  const { defaultAgent } = await settings();
  const { listMachines, poolOf } = engine.tools;
  return {
    default: defaultAgent,
    agents: await listNamedAgents(workflow.projectRoot, defaultAgent, { environment, path, poolOf }),
    workers: await describeWorkers(engine, caller.id),
    ...(listMachines === undefined ? {} : { machines: await listMachines() }),
  };
}

async function describeWorkers(engine: EngineCalls, manager: string): Promise<readonly object[]> {
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
        priority: worker.priority,
        waits_because: engine.whyWaiting(worker.id) ?? null,
      };
    });
}
