import type { Delegation } from "../../journal/store.ts";
import type { Job } from "../../scheduler/run-queue.ts";
import { findProvider } from "../delegation/find-provider.ts";
import { isLedWithoutAgent } from "../delegation/kind.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** A queued delegation as the scheduler sees it. Only the first attempt waits for dependencies. */
export function buildJob(tools: RunTools, delegation: Delegation, enqueuedAt: number): Job {
  const { clock, poolOf } = tools;
  const { id, story, depth, priority, scope, work, turn, agent } = delegation;
  const isFirst = turn.kind === "begin";
  const pauseMs = Math.max(0, turn.notBeforeMs - clock.wallMs());
  return {
    id,
    group: story,
    priority,
    enqueuedAt,
    scope,
    dependsOn: isFirst ? (work?.dependsOn ?? []) : [],
    provider: findProvider(tools, delegation),
    // A story's own manager must not take a slot from the workers it waits for.
    holdsSlot: depth > 0,
    ...(poolOf === undefined ? {} : { pool: poolOf(agent) }),
    ...(pauseMs === 0 ? {} : { notBeforeMs: clock.monotonicMs() + pauseMs }),
  };
}

/** The dependencies that have not ended, whether or not a queue knows them. */
export async function findOpenDependencies(
  tools: RunTools,
  { work }: Delegation,
): Promise<readonly string[]> {
  const all = await Promise.all((work?.dependsOn ?? []).map((id) => tools.store.delegation(id)));
  return all.flatMap((one) => (one === undefined || one.state === "closed" ? [] : [one.id]));
}

/** Whether a machine of a cluster has it, because this engine or an earlier one has offered it. */
export async function isElsewhere({ elsewhere }: RunTools, delegation: Delegation): Promise<boolean> {
  const { state } = delegation;
  if (elsewhere === undefined || (state !== "running" && state !== "parked")) return false;
  return !isLedWithoutAgent(delegation) && elsewhere.isHeld(delegation);
}

/** The job of a delegation that another machine works on: it has its slot already. */
export function buildAdoptedJob(tools: RunTools, delegation: Delegation): Job {
  return { ...buildJob(tools, delegation, 0), holdsSlot: false, dependsOn: [], scope: [] };
}
