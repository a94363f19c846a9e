import type { Delegation, Settlement } from "../../journal/store.ts";
import { pressure } from "../../ledger/budget-tree.ts";
import { askOnce, findApproval } from "../approvals/ask-approval.ts";
import type { RunTools } from "../ports/run-tools.ts";

export type CostApproval =
  | { readonly kind: "granted" }
  | { readonly kind: "waiting" }
  | { readonly kind: "denied"; readonly settlement: Settlement };

/** What has used up its budget is not taken up again: one more attempt would be one more request over it. */
export function spentSettlement({ attempt, money, tokens, summary }: Delegation): Settlement | undefined {
  const isSpent = [money, tokens].some((account) => pressure(account, 1) === "hard");
  if (attempt === 0 || !isSpent) return undefined;
  const what = "Its budget is used up; what it did is kept on its branch.";
  return { outcome: "partial", code: "COST_LIMIT_EXCEEDED", summary: `${what} ${summary}`.trim() };
}

/** Before the first attempt of what may cost more than nobody is asked about. */
export async function approveCost(tools: RunTools, delegation: Delegation): Promise<CostApproval> {
  if (delegation.work?.needsApproval !== true || delegation.attempt > 0) return { kind: "granted" };
  const asked = await findApproval(tools, delegation, "cost");
  if (asked?.answer === "approved") return { kind: "granted" };
  if (asked === undefined || asked.answer === null) {
    const dollars = ((delegation.money.limit ?? 0) / 1_000_000).toFixed(2);
    const question = `It may cost up to $${dollars}. Start it?`;
    await askOnce(tools, delegation, { kind: "cost", question, details: [delegation.description] });
    return { kind: "waiting" };
  }
  const code = asked.answer === "expired" ? "APPROVAL_EXPIRED" : "APPROVAL_REJECTED";
  return {
    kind: "denied",
    settlement: { outcome: "cancelled", code, summary: `Not approved. ${asked.reason}`.trim() },
  };
}
