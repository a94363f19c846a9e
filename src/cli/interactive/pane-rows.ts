import type { Paint } from "../terminal/paint.ts";
import { renderQuestion } from "../render/inbox.ts";
import { renderStat } from "../render/diff.ts";
import { visibleText } from "../../base/visible-text.ts";
import { safeText } from "../../base/safe-text.ts";
import { textWidth } from "../terminal/text-width.ts";
import type { Question, ScreenFacts } from "./screen-facts.ts";
import type { ScreenState } from "./screen-state.ts";

export interface PaneStyle {
  readonly width: number;
  readonly ascii: boolean;
  readonly paint: Paint;
}

type PaneFacts = Pick<ScreenFacts, "log" | "diff" | "question" | "nowMs">;

const KEYS: readonly (readonly [string, string])[] = [
  ["arrows", "choose a worker, or scroll what is open"],
  ["PgUp, PgDn", "the same by a screen; Home and End go to the ends"],
  ["Enter", "open the question of one that asks, or the log of any other"],
  ["l", "log; in it, e shows stderr and Home reads earlier lines"],
  ["d", "diff: what the work has changed so far"],
  ["r", "reply to its question, or write to it while it works"],
  ["a, x", "approve or reject what it asks for, with the diff shown"],
  ["s", "stop it; its work is kept"],
  ["n, Tab", "the next worker that asks you something"],
  ["/", "filter by number, title, agent, state or id; Esc shows all"],
  ["q, Esc", "close what is open; in the list, q leaves"],
  ["Ctrl-C", "leave from anywhere; the work continues"],
];

const MAX_LINE_LENGTH = 4000;
const TAB = "    ";

/** All rows of the open pane. */
export function listPaneRows(state: ScreenState, facts: PaneFacts, style: PaneStyle): readonly string[] {
  switch (state.pane) {
    case "log":
      return listLogRows(facts, style.width);
    case "diff":
      return listDiffRows(facts, style);
    case "question":
      return facts.question === undefined
        ? ["Reading the question…"]
        : listQuestionRows(facts.question, facts.nowMs(), style);
    case "help":
      return listKeys();
    case "list":
      return [];
  }
}

const wrapped = new WeakMap<
  readonly string[],
  { readonly width: number; readonly rows: readonly string[] }
>();

/** Long logs are wrapped once, not for every picture. */
function listLogRows({ log }: PaneFacts, width: number): readonly string[] {
  if (log === undefined) return ["Reading the log…"];
  if (log.lines.length === 0) return [`Nothing was written to ${log.stream} yet.`];
  const known = wrapped.get(log.lines);
  if (known?.width === width) return known.rows;
  const rows = wrapOutput(log.lines, width);
  wrapped.set(log.lines, { width, rows });
  return rows;
}

function listDiffRows({ diff }: PaneFacts, style: PaneStyle): readonly string[] {
  if (diff === undefined) return ["Reading the changes…"];
  const { files, added, removed, patch, isCut } = diff.read;
  if (files.length === 0) return ["No file differs."];
  const listed = files.map(({ path, oldPath, kind, added: more, removed: less }) => ({
    path,
    old_path: oldPath,
    kind: toKind(kind),
    added: more,
    removed: less,
  }));
  const stat = renderStat({ files: listed, added, removed }, style).split("\n");
  const cut = isCut ? [`(the rest was left out: ambit diff ${diff.id} shows all of it)`] : [];
  return [...stat, "", ...wrapPatch(patch, style), ...cut];
}

function toKind(kind: string): "added" | "changed" | "removed" | "renamed" {
  return kind === "added" || kind === "removed" || kind === "renamed" ? kind : "changed";
}

function listQuestionRows(question: Question, nowMs: number, style: PaneStyle): readonly string[] {
  const { changes } = question;
  const plain = { nowMs, ascii: style.ascii, width: style.width, paint: withoutColor };
  const asked = renderQuestion({ ...question, changes: null, answer_with: [] }, plain).split("\n");
  const rows = asked.flatMap((line) => wrapPlain(line, style.width));
  if (changes === null || changes.files.length === 0) return [...rows, "", "No change is kept for it."];
  const cut = changes.is_cut ? ["(the rest was left out: ambit diff shows all of it)"] : [];
  const stat = renderStat(changes, style).split("\n");
  return [...rows, "", ...stat, "", ...wrapPatch(changes.patch ?? "", style), ...cut];
}

const same = (text: string): string => text;
const withoutColor: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, invert: same };

/** Coloured after it is wrapped, so that every row of a long line has the colour of its beginning. */
function wrapPatch(patch: string, { width, paint }: PaneStyle): readonly string[] {
  const lines = visibleText(patch).replaceAll("\t", "    ").split("\n");
  return lines.flatMap((line) => wrapPlain(line, width).map(chooseInk(line, paint)));
}

function chooseInk(line: string, paint: Paint): (row: string) => string {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("diff ")) return paint.bold;
  if (line.startsWith("@@")) return paint.dim;
  if (line.startsWith("+")) return paint.green;
  return line.startsWith("-") ? paint.red : same;
}

/** Every key, one per row. */
function listKeys(): readonly string[] {
  const widest = Math.max(...KEYS.map(([key]) => key.length));
  const rows = KEYS.map(([key, does]) => `${key.padEnd(widest)}  ${does}`);
  return ["Keys", "", ...rows, "", "Leaving stops nothing."];
}

/** Turns a worker's output into rows of a terminal: its sequences are removed and long lines continue below. */
function wrapOutput(lines: readonly string[], width: number): readonly string[] {
  return lines.flatMap((line) => wrapPlain(makeSafe(line), width));
}

function makeSafe(line: string): string {
  const cut = line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)} (cut)` : line;
  return safeText(cut.replaceAll("\t", TAB));
}

/** Breaks a text without colours at the width. */
function wrapPlain(text: string, width: number): readonly string[] {
  const room = Math.max(1, width);
  if (textWidth(text) <= room) return [text];
  const rows: string[] = [];
  let row = "";
  let used = 0;
  for (const character of text) {
    const columns = textWidth(character);
    if (used + columns > room) {
      rows.push(row);
      row = "";
      used = 0;
    }
    row += character;
    used += columns;
  }
  return [...rows, row];
}
