import type { Delegation } from "../../journal/store.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { moved, waiting, type Step } from "../ports/step.ts";

/** Puts a parked delegation back into the queue when everything it waits for is over. */
export async function resumeParked(tools: RunTools, delegation: Delegation): Promise<Step> {
  if (!(await isWaitOver(tools, delegation))) return waiting;
  const approvals = await tools.store.approvalsOf(delegation.id);
  const isAnswer = delegation.waitingFor.every((name) => approvals.some(({ id }) => id === name));
  const kind = isAnswer ? "answer" : "results";
  await recordEvent(tools, delegation, { type: "delegation-resumed", data: { kind } });
  return moved;
}

/** Whether everything that a parked delegation waits for has ended or is answered. */
export async function isWaitOver(tools: RunTools, delegation: Delegation): Promise<boolean> {
  for (const name of delegation.waitingFor)
    if (!(await isSingleWaitOver(tools, delegation, name))) return false;
  return true;
}

async function isSingleWaitOver(tools: RunTools, delegation: Delegation, name: string): Promise<boolean> {
  const worker = await tools.store.delegation(name);
  if (worker !== undefined) return worker.state === "closed";
  const approvals = await tools.store.approvalsOf(delegation.id);
  return approvals.find(({ id }) => id === name)?.answer !== null;
}
