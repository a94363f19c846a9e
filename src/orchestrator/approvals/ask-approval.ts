import type { ApprovalKind } from "../../contract/approval.ts";
import type { Approval, Delegation } from "../../journal/store.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";

export interface Question {
  readonly kind: ApprovalKind;
  readonly question: string;
  readonly details: readonly string[];
}

/** One question of a kind per attempt: asking again, after a crash for example, is the same question. */
export function nameApproval(delegation: Delegation, kind: ApprovalKind): string {
  return `${delegation.id}-${kind}-${delegation.attempt}`;
}

/** Whether a question was asked in this attempt, the first of its kind or another one. */
export function isAskedInAttempt(delegation: Delegation, kind: ApprovalKind, id: string): boolean {
  const stem = nameApproval(delegation, kind);
  return id === stem || id.startsWith(`${stem}.`);
}

export async function askOncePerAttempt(
  tools: RunTools,
  delegation: Delegation,
  question: Question,
): Promise<string> {
  const id = nameApproval(delegation, question.kind);
  if ((await findApproval(tools, delegation, question.kind)) !== undefined) return id;
  return recordQuestion(tools, delegation, { id, question });
}

/** A worker may ask any number of questions; one that is open already is not asked again. */
export async function askAnotherQuestion(
  tools: RunTools,
  delegation: Delegation,
  question: Question,
): Promise<string> {
  const stem = nameApproval(delegation, question.kind);
  const approvals = await tools.store.approvalsOf(delegation.id);
  const asked = approvals.filter(({ id }) => isAskedInAttempt(delegation, question.kind, id));
  const same = asked.find((one) => one.answer === null && one.question === question.question);
  if (same !== undefined) return same.id;
  const id = asked.length === 0 ? stem : `${stem}.${asked.length + 1}`;
  return recordQuestion(tools, delegation, { id, question });
}

async function recordQuestion(
  tools: RunTools,
  delegation: Delegation,
  { id, question }: { readonly id: string; readonly question: Question },
): Promise<string> {
  const data = { approvalId: id, ...question, details: [...question.details] };
  await recordEvent(tools, delegation, { type: "approval-requested", data });
  return id;
}

/** The question of this attempt, answered or not. */
export async function findApproval(
  tools: RunTools,
  delegation: Delegation,
  kind: ApprovalKind,
): Promise<Approval | undefined> {
  const approvals = await tools.store.approvalsOf(delegation.id);
  return approvals.find(({ id }) => id === nameApproval(delegation, kind));
}
