import { joinSentences } from "../../base/join-sentences.ts";
import type { InboxAnswer } from "../../app/inbox.ts";
import { safeText } from "../../base/safe-text.ts";
import { renderDuration } from "../../base/duration-text.ts";
import { renderDiff, renderStat } from "./diff.ts";
import { renderBlocks } from "./status-report.ts";
import type { Paint } from "../terminal/paint.ts";

export interface InboxStyle {
  readonly nowMs: number;
  readonly ascii: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
}

/** One block per question, the oldest first. Text from workers is made safe for the terminal. */
export function renderInbox({ questions, blocked, unserved, news }: InboxAnswer, style: InboxStyle): string {
  const newest = [
    ...blocked.map((work) => renderBlocked(work, style)),
    ...unserved.map((work) => renderUnserved(work, style)),
    ...renderNews(news, style),
  ];
  if (questions.length + blocked.length + unserved.length === 0)
    return ["Nothing waits for you.", ...newest].join("\n\n");
  if (questions.length === 0) return newest.join("\n\n");
  const heading =
    questions.length === 1 ? "1 question waits for you" : `${questions.length} questions wait for you`;
  return [heading, ...questions.map((question) => renderQuestion(question, style)), ...newest].join("\n\n");
}

function renderNews(news: InboxAnswer["news"], { nowMs, paint }: InboxStyle): readonly string[] {
  if (news.length === 0) return [];
  const lines = news.map(({ from, text, sent_at: sentAt }) => {
    const age = renderDuration(nowMs - Date.parse(sentAt));
    return `  ${safeText(from)} ${safeText(text)}  ${paint.dim(`${age} ago`)}`;
  });
  return [["They say", ...lines].join("\n")];
}

/** Work that ended because only the person can help, with what it needs. */
function renderBlocked(work: InboxAnswer["blocked"][number], { nowMs, paint }: InboxStyle): string {
  const { story, description, summary, needs, next_steps: nextSteps } = work;
  const age = renderDuration(nowMs - Date.parse(work.blocked_at));
  const needed = needs.map(({ message, recommendation }) => joinSentences(message, recommendation));
  return [
    `${paint.bold(safeText(story))}  blocked  ${paint.dim(`${age} ago`)}`,
    `  ${paint.dim("task")}    ${safeText(description)}`,
    ...(needed.length === 0 ? [summary] : needed).map(
      (text) => `  ${paint.dim("needs")}   ${safeText(text)}`,
    ),
    ...(nextSteps === null ? [] : [`  ${paint.dim("then")}    ${safeText(nextSteps)}`]),
    ...work.answer_with.map((answer) => `  ${paint.dim("answer")}  ${answer}`),
  ].join("\n");
}

/** Work that waits until the person starts a machine for it. */
function renderUnserved(work: InboxAnswer["unserved"][number], { nowMs, paint }: InboxStyle): string {
  const age = renderDuration(nowMs - Date.parse(work.told_at));
  return [
    `${paint.bold(safeText(work.delegation))}  waits for a machine  ${paint.dim(`told ${age} ago`)}`,
    `  ${paint.dim("task")}    ${safeText(work.description)}`,
    `  ${paint.dim("needs")}   ${safeText(work.text)}`,
  ].join("\n");
}

const MAX_DETAILS = 20;

export function renderQuestion(question: InboxAnswer["questions"][number], style: InboxStyle): string {
  const { nowMs, paint } = style;
  const { name, kind, description, details, blocks } = question;
  const hidden = details.length - MAX_DETAILS;
  const age = renderDuration(nowMs - Date.parse(question.asked_at));
  const time = `waits ${age}, ${renderExpiry(Date.parse(question.expires_at) - nowMs)}`;
  return [
    `${paint.bold(safeText(name))}  ${kind}  ${paint.dim(time)}`,
    `  ${paint.dim("task")}    ${safeText(description)}`,
    `  ${paint.dim("asks")}    ${safeText(question.question)}`,
    ...details.slice(0, MAX_DETAILS).map((detail) => `          ${safeText(detail)}`),
    ...(hidden > 0 ? [`          and ${hidden} more: ambit inbox --json`] : []),
    ...(blocks.length === 0 ? [] : [`  ${paint.dim("blocks")}  ${renderBlocks(blocks)}`]),
    ...renderChanges(question, style),
    ...question.answer_with.map((answer) => `  ${paint.dim("answer")}  ${answer}`),
  ].join("\n");
}

const MAX_FILES = 20;

/** Shows the subject of the answer: the files, and every line of them if one question was asked for. */
function renderChanges(
  { changes, name }: InboxAnswer["questions"][number],
  style: InboxStyle,
): readonly string[] {
  if (changes === null || changes.files.length === 0) return [];
  const { paint } = style;
  if (changes.patch !== null) {
    const shown = renderDiff(changes, { ...style, kind: "patch", isSafe: true });
    const cut = changes.is_cut ? ["(the rest was left out: ambit diff shows all of it)"] : [];
    return ["", ...shown.split("\n").map((line) => `  ${line}`), ...cut.map((text) => `  ${text}`), ""];
  }
  const files = changes.files.slice(0, MAX_FILES);
  const stat = renderStat({ ...changes, files }, style).split("\n");
  return [
    ...stat.map((line, index) => `  ${index === 0 ? paint.dim("files ") : "      "}  ${line}`),
    `  ${paint.dim("look")}    ambit inbox ${safeText(name)}`,
  ];
}

function renderExpiry(leftMs: number): string {
  return leftMs > 0 ? `expires in ${renderDuration(leftMs)}` : "its time is over";
}
