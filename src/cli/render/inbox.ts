import { safeText } from "../../base/safe-text.ts";
import { renderDuration } from "./duration.ts";
import type { Paint } from "./paint.ts";

export interface InboxEntry {
  readonly name: string;
  readonly kind: string;
  readonly about: string;
  readonly question: string;
  readonly details: readonly string[];
  readonly askedMs: number;
  readonly expiresMs: number;
  /** What answers it, as it can be typed. */
  readonly commands: readonly string[];
}

/** Something somebody said that needs no answer. */
export interface InboxNews {
  readonly from: string;
  readonly text: string;
  readonly sentMs: number;
}

export interface InboxStyle {
  readonly nowMs: number;
  readonly paint: Paint;
  readonly news?: readonly InboxNews[];
}

/** One block per question, the one that waits longest first; what a worker wrote stands on harmless lines. */
export function renderInbox(entries: readonly InboxEntry[], style: InboxStyle): string {
  const news = renderNews(style);
  if (entries.length === 0) return ["Nothing waits for you.", ...news].join("\n\n");
  const heading =
    entries.length === 1 ? "1 question waits for you" : `${entries.length} questions wait for you`;
  return [heading, ...entries.map((entry) => renderEntry(entry, style)), ...news].join("\n\n");
}

function renderNews({ news = [], nowMs, paint }: InboxStyle): readonly string[] {
  if (news.length === 0) return [];
  const lines = news.map(
    ({ from, text, sentMs }) =>
      `  ${safeText(from)} ${safeText(text)}  ${paint.dim(`${renderDuration(nowMs - sentMs)} ago`)}`,
  );
  return [["They say", ...lines].join("\n")];
}

const DETAILS_SHOWN = 20;

function renderEntry(entry: InboxEntry, { nowMs, paint }: InboxStyle): string {
  const { name, kind, about, question, details, askedMs, expiresMs, commands } = entry;
  const hidden = details.length - DETAILS_SHOWN;
  const time = `waits ${renderDuration(nowMs - askedMs)}, ${expiryText(expiresMs - nowMs)}`;
  return [
    `${paint.bold(safeText(name))}  ${kind}  ${paint.dim(time)}`,
    `  ${paint.dim("task")}    ${safeText(about)}`,
    `  ${paint.dim("asks")}    ${safeText(question)}`,
    ...details.slice(0, DETAILS_SHOWN).map((detail) => `          ${safeText(detail)}`),
    ...(hidden > 0 ? [`          and ${hidden} more: ambit inbox --json`] : []),
    ...commands.map((command) => `  ${paint.dim("answer")}  ${command}`),
  ].join("\n");
}

function expiryText(leftMs: number): string {
  return leftMs > 0 ? `expires in ${renderDuration(leftMs)}` : "its time is over";
}
