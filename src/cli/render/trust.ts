import type { TrustAnswer } from "../../app/trust.ts";
import { quoteExcerpt, visibleText } from "../../base/visible-text.ts";
import { renderColumns } from "./columns.ts";

type Change = TrustAnswer["changes"][number];

/** The facts that a person needs to decide. */
export interface TrustQuestion {
  readonly state: TrustAnswer["state"];
  readonly trustedAt: string | null;
  readonly changes: readonly {
    readonly file: string;
    readonly field: string | null;
    readonly change: Change["change"];
    readonly lines: readonly { readonly sign: string; readonly text: string }[];
  }[];
}

const MAX_ITEMS = 12;
const MAX_LINES = 8;
const MAX_WIDTH = 100;

/** Lists what would run, or what changed since it was trusted; short enough to be read before an answer. */
export function renderTrustQuestion(question: TrustQuestion, summarize: Summarize): string {
  const { state, changes } = question;
  const shown = changes.slice(0, MAX_ITEMS);
  const rest = changes.length - shown.length;
  const more = rest > 0 ? [`and ${rest} more: ambit trust --show`] : [];
  if (state !== "changed") {
    const rows = shown.map(({ file, field, lines }) => renderRow(file, field, summarize(addedLines(lines))));
    return [UNKNOWN, renderColumns(rows), ...more].join("\n");
  }
  const date = question.trustedAt?.slice(0, 10) ?? "before";
  const head = `This project changed since you trusted it (${date}). "+" would run now, "-" is what you trusted:`;
  return [head, ...shown.map(renderChange), ...more].join("\n");
}

type Summarize = (lines: readonly string[]) => string;

const UNKNOWN = "This project names things that would run on your machine:";

function addedLines(lines: TrustQuestion["changes"][number]["lines"]): readonly string[] {
  return lines.flatMap(({ sign, text }) => (sign === "+" ? [text] : []));
}

function renderRow(file: string, field: string | null, summary: string): readonly string[] {
  return [`  ${quoteExcerpt(file)}`, quoteExcerpt(field ?? ""), quoteExcerpt(summary, MAX_WIDTH)];
}

function renderChange({ file, field, change, lines }: TrustQuestion["changes"][number]): string {
  const where = quoteExcerpt(field === null ? file : `${file} ${field}`);
  const shown = lines
    .slice(0, MAX_LINES)
    .map(({ sign, text }) => `    ${sign} ${quoteExcerpt(text, MAX_WIDTH)}`);
  const rest = lines.length - shown.length;
  return [`  ${change}  ${where}`, ...shown, ...(rest > 0 ? [`    … ${rest} more lines`] : [])].join("\n");
}

const MAX_TEXT = 4000;

/** Everything that the project names, in full. */
export function renderTrust(answer: TrustAnswer): string {
  const { project, state, items, changes, trusted_at: at } = answer;
  const head = `${visibleText(project)}: ${describeState(state, at)}`;
  const texts = items.map(({ file, field, text }) => {
    const where = visibleText(field === null ? file : `${file} ${field}`).replaceAll("\n", " ");
    const cut = text.length > MAX_TEXT ? `\n  … ${text.length - MAX_TEXT} more characters` : "";
    return `${where}\n${indent(visibleText(text.slice(0, MAX_TEXT)))}${cut}`;
  });
  const differences =
    state === "changed" ? [`Changed since then:\n${changes.map(renderChange).join("\n")}`] : [];
  return [head, ...texts, ...differences].join("\n\n");
}

function describeState(state: TrustAnswer["state"], at: string | null): string {
  if (state === "nothing-named") return "names nothing that would run; there is nothing to decide.";
  if (state === "trusted") return `you have trusted it since ${at?.slice(0, 10) ?? "now"}.`;
  if (state === "changed") return "changed since you trusted it.\n  next  ambit trust";
  return "you have not decided yet.\n  next  ambit trust";
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}
