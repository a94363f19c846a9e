import { safeText } from "../../base/safe-text.ts";
import type { Verification } from "../../app/verify.ts";
import { listVerdictNotes } from "../../contract/work-proof.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainLine } from "../terminal/runner-commands.ts";
import { cutText, padText, textWidth } from "../terminal/text-width.ts";

type ShownCriterion = Verification["criteria"][number];

export interface CriteriaStyle {
  readonly ascii: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
  /** All evidence, not only that of what did not pass. */
  readonly verbose: boolean;
}

/** One line per criterion: a mark and a word, the criterion, how it is checked; what was found stands below it. */
export function renderCriteria(rows: readonly ShownCriterion[], style: CriteriaStyle): string {
  const idWidth = Math.max(0, ...rows.map(({ id }) => textWidth(id)));
  return rows.flatMap((row) => renderRow(row, idWidth, style)).join("\n");
}

const VERDICT_WIDTH = "unverified".length;
const HEAD_LINES = 3;
const OUTPUT_LINES = 30;

function renderRow(row: ShownCriterion, idWidth: number, style: CriteriaStyle): readonly string[] {
  const { paint } = style;
  const isMet = row.verdict === "passed" || row.verdict === "waived";
  const color = isMet ? paint.green : row.verdict === "failed" ? paint.red : paint.bold;
  const mark = marks[row.verdict] ?? marks["unverified"];
  const sign = color(`${style.ascii ? mark?.ascii : mark?.glyph} ${row.verdict.padEnd(VERDICT_WIDTH)}`);
  const notes = listVerdictNotes(row);
  const told = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  const text = `${safeText(row.text)}${row.required ? "" : " (advice only)"}${told}`;
  const room = style.width === undefined ? undefined : style.width - VERDICT_WIDTH - idWidth - 6;
  const line = `${sign}  ${padText(row.id, idWidth, "left")}  ${cut(text, room, style)}`;
  const indent = " ".repeat(VERDICT_WIDTH + idWidth + 6);
  const evidence = !isMet || row.flaky === true || style.verbose || isDecided(row) ? evidenceOf(row) : [];
  const how = row.check === row.text ? [] : [`check: ${safeText(row.check)}`];
  const below = [...how, ...evidence];
  // Never cut: a log's path or a command is to be copied whole.
  return [line, ...below.map((part) => paint.dim(`${indent}${part}`))];
}

/** By a reviewer, a manager or a person: what they looked at is the only proof. */
function isDecided({ by }: ShownCriterion): boolean {
  return by !== null && by !== "ambit";
}

const marks: Readonly<Record<string, { readonly glyph: string; readonly ascii: string }>> = {
  passed: { glyph: "✔", ascii: "+" },
  waived: { glyph: "✔", ascii: "+" },
  failed: { glyph: "✖", ascii: "x" },
  unverified: { glyph: "?", ascii: "?" },
};

function evidenceOf({ evidence, by }: ShownCriterion): readonly string[] {
  const lines = evidence
    .split("\n")
    .map((line) => plainLine(safeText(line)))
    .filter(Boolean);
  // The result and the log come first; of the output, the failure and the end are what helps.
  const head = lines.slice(0, HEAD_LINES);
  const rest = lines.slice(HEAD_LINES);
  const half = OUTPUT_LINES / 2;
  const shown = rest.length <= OUTPUT_LINES ? rest : [...rest.slice(0, half), "…", ...rest.slice(-half)];
  const who = by === null || by === "ambit" ? [] : [`decided by ${safeText(by)}`];
  return [...head, ...shown, ...who];
}

function cut(text: string, room: number | undefined, { ascii }: CriteriaStyle): string {
  return room === undefined || room < 20 ? text : cutText(text, room, ascii);
}
