import { formatUsd, toKnownUsd } from "../../base/money.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Delegation, Story } from "../../journal/store.ts";

/** The JSON that `notify.command` gets on its standard input. */
export interface Notice {
  readonly schema: "ambit/notice/v1";
  readonly event: "asked" | "stalled" | "budget" | "ended";
  readonly project: string;
  readonly story: string;
  readonly title: string;
  readonly delegation: string;
  /** One line for people. */
  readonly text: string;
  readonly [key: string]: unknown;
}

/** The subject of a notice. */
export interface NoticeSubject {
  readonly project: string;
  readonly story: Story;
  readonly delegation: Delegation;
}

const BUDGET_SHARE = 0.8;

/** The notice for an event; undefined for most events. */
export function buildNotice(event: JournalEvent, subject: NoticeSubject): Notice | undefined {
  switch (event.type) {
    case "approval-requested":
      return buildAsked(event.data, subject);
    case "limit-warned":
      return event.data.code === "STALLED"
        ? buildHead("stalled", `${subject.delegation.id} is silent: ${event.data.message}`, subject)
        : undefined;
    case "delegation-closed":
      return event.delegation === event.story ? buildEnded(event.data, subject) : undefined;
    default:
      return undefined;
  }
}

type Data<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>["data"];

function buildAsked(
  { approvalId, kind, question, details }: Data<"approval-requested">,
  subject: NoticeSubject,
): Notice {
  const answer =
    kind === "clarification"
      ? [`ambit reply ${approvalId} "…"`]
      : [`ambit approve ${approvalId}`, `ambit reject ${approvalId} --reason "…"`];
  const head = buildHead("asked", `${subject.delegation.id} asks: ${question}`, subject);
  return { ...head, approval: approvalId, kind, question, details, answer_with: answer };
}

function buildEnded({ outcome, code, summary }: Data<"delegation-closed">, subject: NoticeSubject): Notice {
  const text = `${subject.story.id} ended: ${outcome}${code === null ? "" : ` (${code})`}. ${summary}`;
  const cost = toKnownUsd(subject.delegation.money.spent);
  return { ...buildHead("ended", text, subject), outcome, code, summary, cost_usd: cost };
}

/** Whether a delegation has used most of its money. */
export function isNearBudget({ money: { limit, spent } }: Delegation): boolean {
  return limit !== null && limit > 0 && spent >= limit * BUDGET_SHARE;
}

export function buildBudgetNotice(subject: NoticeSubject): Notice {
  const { id, money } = subject.delegation;
  const limit = money.limit ?? 0;
  const text = `${id} has spent ${formatUsd(money.spent)} of ${formatUsd(limit)}`;
  const amounts = { spent_usd: toKnownUsd(money.spent), limit_usd: toKnownUsd(limit) };
  return { ...buildHead("budget", text, subject), ...amounts };
}

const MAX_TEXT = 500;

function buildHead(
  event: Notice["event"],
  text: string,
  { project, story, delegation }: NoticeSubject,
): Notice {
  return {
    schema: "ambit/notice/v1",
    event,
    project,
    story: story.id,
    title: story.title,
    delegation: delegation.id,
    text: text.replaceAll(/\s+/g, " ").slice(0, MAX_TEXT),
  };
}
