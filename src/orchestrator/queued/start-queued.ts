import type { Delegation, Settlement } from "../../journal/store.ts";
import { measurePressure } from "../../ledger/budget-tree.ts";
import { closeWith, waiting, type Step } from "../ports/step.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { askOncePerAttempt, findApproval } from "../approvals/ask-approval.ts";

/** A queued delegation may start unless it has used up its budget, or a person must approve its cost first. */
export async function startQueued(tools: RunTools, delegation: Delegation): Promise<Step> {
  const over = settleIfLost(delegation) ?? settleIfSpent(delegation);
  return over === undefined ? approveCost(tools, delegation) : closeWith(over);
}

/** An agent that takes the whole runtime down with it must not do so forever. */
const MAX_LOST_ATTEMPTS = 5;
/** Machines are lost for reasons of their own; but an agent could also take each of them down. */
const MAX_LOST_MACHINES = 20;

function settleIfLost({ turn: { lost, lostMachines } }: Delegation): Settlement | undefined {
  if (lost <= MAX_LOST_ATTEMPTS && lostMachines <= MAX_LOST_MACHINES) return undefined;
  const summary = `${lost + lostMachines} of its attempts were interrupted; its work is kept on its branch.`;
  return { outcome: "partial", code: "ORPHANED", summary };
}

/** With its budget used up, one more attempt would spend at least one request beyond it. */
function settleIfSpent({ attempt, money, tokens, summary }: Delegation): Settlement | undefined {
  const isSpent = [money, tokens].some((account) => measurePressure(account, 1) === "hard");
  if (attempt === 0 || !isSpent) return undefined;
  const text = `Its budget is used up; its work is kept on its branch. ${summary}`.trim();
  return { outcome: "partial", code: "COST_LIMIT_EXCEEDED", summary: text };
}

/** Asks before the first attempt if the budget exceeds the auto-approve limit. */
async function approveCost(tools: RunTools, delegation: Delegation): Promise<Step> {
  if (delegation.work?.needsApproval !== true || delegation.attempt > 0) return { kind: "ready" };
  const asked = await findApproval(tools, delegation, "cost");
  if (asked?.answer === "approved") return { kind: "ready" };
  if (asked === undefined || asked.answer === null) {
    const dollars = ((delegation.money.limit ?? 0) / 1_000_000).toFixed(2);
    const question = `It may cost up to $${dollars}. Start it?`;
    await askOncePerAttempt(tools, delegation, { kind: "cost", question, details: [delegation.description] });
    return waiting;
  }
  const code = asked.answer === "expired" ? "APPROVAL_EXPIRED" : "APPROVAL_REJECTED";
  return closeWith({ outcome: "cancelled", code, summary: `Not approved. ${asked.reason}`.trim() });
}

/** The settlement of a delegation whose dependencies ended without success. */
export function settleBlocked(on: readonly string[]): Settlement {
  const summary = `It waited for ${on.join(", ")}, which will not be completed.`;
  return { outcome: "blocked", code: "DEPENDENCY_FAILED", summary };
}
