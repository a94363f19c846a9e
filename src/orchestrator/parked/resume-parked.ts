import type { Delegation } from "../../journal/store.ts";
import { isLedWithoutAgent } from "../delegation/kind.ts";
import { addNote, recordEvent } from "../delegation/record.ts";
import { mayTakeTurn } from "../delegation/turn-limits.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { moved, waiting, type Step } from "../ports/step.ts";
import { explainFullContext } from "../running/prepare/describe-results.ts";

/** Puts a parked delegation back into the queue when everything it waits for is over. */
export async function resumeParked(tools: RunTools, delegation: Delegation): Promise<Step> {
  if (!(await isWaitOver(tools, delegation))) return waiting;
  const approvals = await tools.store.approvalsOf(delegation.id);
  const isAnswer = delegation.waitingFor.every((name) => approvals.some(({ id }) => id === name));
  const kind = isAnswer ? "answer" : await chooseSession(tools, delegation);
  await recordEvent(tools, delegation, { type: "delegation-resumed", data: { kind } });
  return moved;
}

/** The session that asked for the results continues with them, or a new session if they do not fit into its context. */
async function chooseSession(tools: RunTools, delegation: Delegation): Promise<"results" | "handover"> {
  if (isLedWithoutAgent(delegation) || !mayTakeTurn(delegation, "handover")) return "results";
  const full = await explainFullContext(tools, delegation);
  if (full === undefined) return "results";
  await addNote(tools, delegation, full);
  return "handover";
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
