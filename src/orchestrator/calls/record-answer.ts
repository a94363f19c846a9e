import type { ApprovalAnswer } from "../../contract/approval.ts";
import type { Approval } from "../../journal/store.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
import { recordEvent } from "../delegation/record.ts";
import type { GivenAnswer } from "../live/engine-calls.ts";
import type { RunTools } from "../ports/run-tools.ts";

const MAX_OPEN = 10_000;

/** Returns the delegation that asked. */
export async function recordAnswer(tools: RunTools, approvalId: string, given: GivenAnswer): Promise<string> {
  const { story, delegation } = await findOpenApproval(tools, approvalId, given.answer);
  const { speaker, ...answer } = given;
  const about = { id: delegation, story, attempt: 0, speaker };
  await recordEvent(tools, about, { type: "approval-answered", data: { approvalId, ...answer } });
  return delegation;
}

/** The open request with this id, if an answer of this kind settles it; refuses otherwise. */
async function findOpenApproval(
  { store }: Pick<RunTools, "store">,
  id: string,
  answer: ApprovalAnswer,
): Promise<Approval> {
  const open = await store.openApprovals(MAX_OPEN);
  const approval = open.find((one) => one.id === id);
  if (approval === undefined) throw orchestratorErrors.approvalNotFound(id);
  if (answer !== "expired" && (answer === "replied") !== (approval.kind === "clarification"))
    throw orchestratorErrors.wrongAnswer(approval);
  return approval;
}
