import { findOpenApproval } from "../approvals/find-open-approval.ts";
import { recordEvent } from "../delegation/record.ts";
import type { GivenAnswer } from "../live/engine-calls.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** Returns the delegation that asked. */
export async function recordAnswer(tools: RunTools, approvalId: string, given: GivenAnswer): Promise<string> {
  const { story, delegation } = await findOpenApproval(tools, approvalId, given.answer);
  const about = { id: delegation, story, attempt: 0 };
  await recordEvent(tools, about, { type: "approval-answered", data: { approvalId, ...given } });
  return delegation;
}
