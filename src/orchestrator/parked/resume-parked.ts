import type { Delegation } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** Puts a parked delegation back into the queue when all it waits for is over; answers whether it did. */
export async function resumeParked(tools: RunTools, delegation: Delegation): Promise<boolean> {
  const { id, story, attempt, waitingFor } = delegation;
  if (!(await isWaitOver(tools, delegation))) return false;
  const approvals = await tools.store.approvalsOf(id);
  const isAnswer = waitingFor.every((name) => approvals.some((approval) => approval.id === name));
  const data = { kind: isAnswer ? ("answer" as const) : ("results" as const) };
  await tools.store.record({ type: "delegation-resumed", story, delegation: id, attempt, data });
  return true;
}

/** Whether all that a parked delegation waits for has ended or is answered. */
export async function isWaitOver(tools: RunTools, delegation: Delegation): Promise<boolean> {
  for (const name of delegation.waitingFor) if (!(await isOver(tools, delegation, name))) return false;
  return true;
}

async function isOver(tools: RunTools, delegation: Delegation, name: string): Promise<boolean> {
  const worker = await tools.store.delegation(name);
  if (worker !== undefined) return worker.state === "closed";
  const approvals = await tools.store.approvalsOf(delegation.id);
  return approvals.find(({ id }) => id === name)?.answer !== null;
}
