import type { ApprovalAnswer } from "../../contract/approval.ts";
import type { Approval } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { noApproval, wrongAnswer } from "../engine/refusals.ts";

export interface GivenAnswer {
  readonly answer: ApprovalAnswer;
  readonly by: string;
  readonly reason: string;
}

const MOST_OPEN = 10_000;

/** What waits under this id, if an answer of this kind settles it; refuses otherwise. */
export async function findOpenApproval(
  { store }: Pick<RunTools, "store">,
  id: string,
  answer: ApprovalAnswer,
): Promise<Approval> {
  const open = await store.openApprovals(MOST_OPEN);
  const approval = open.find((one) => one.id === id);
  if (approval === undefined) throw noApproval(id);
  if (answer !== "expired" && (answer === "replied") !== (approval.kind === "clarification"))
    throw wrongAnswer(approval);
  return approval;
}
