import type { Paint } from "../../terminal/paint.ts";
import { cutText, padText, textWidth } from "../../terminal/text-width.ts";
import type { IndentedRow } from "./fold.ts";
import type { Tone } from "./glyphs.ts";

export interface LayOutStyle {
  readonly width: number;
  readonly ascii: boolean;
  readonly paint: Paint;
}

export interface LaidOut {
  readonly lines: readonly string[];
  /** Whether every command a row names had room. */
  readonly hasCommands: boolean;
}

type Column = "word" | "agent" | "time" | "cost";

/** From wide to narrow: the column that is dropped first is only in the first set. */
const columnSets: readonly (readonly Column[])[] = [
  ["word", "agent", "time", "cost"],
  ["word", "time", "cost"],
  ["word", "time"],
  ["word"],
];
const GAP = 2;
const MIN_NAME_WIDTH = 24;
const MIN_DETAIL_WIDTH = 18;
/** A shorter name says nothing; then the word next to it is dropped as well. */
const MIN_CUT_NAME_WIDTH = 8;

/** Rows in columns, none wider than the width. */
export function layOut(rows: readonly IndentedRow[], style: LayOutStyle): LaidOut {
  const labelWidth = widest(rows.map(({ label }) => label));
  const names = rows.map((row) => nameCell(row, labelWidth));
  const sizes = chooseSizes(rows, names, style.width);
  const lines = rows.map((row, index) => renderRow(row, names[index] ?? "", { ...style, ...sizes }));
  return { lines, hasCommands: rows.every((row) => row.command === "" || hasCommand(row, sizes.detail)) };
}

/** Labels of all rows are padded alike, as far as there are any. */
function nameCell({ indent, mark, label, title }: IndentedRow, labelWidth: number): string {
  const number = indent === "" || label === "" ? "" : `${padText(label, labelWidth, "left")} `;
  return `${indent}${mark} ${number}${title}`;
}

interface Sizes {
  readonly columns: readonly { readonly name: Column; readonly width: number }[];
  readonly name: number;
  readonly detail: number;
}

function chooseSizes(rows: readonly IndentedRow[], names: readonly string[], width: number): Sizes {
  const name = widest(names);
  const detail = widest(rows.map(wholeDetail));
  for (const least of detail === 0 ? [0] : [Math.min(detail, MIN_DETAIL_WIDTH) + GAP, 0]) {
    for (const set of columnSets) {
      const columns = sizeColumns(rows, set);
      const room = width - widthOf(columns);
      if (room < Math.min(name, MIN_NAME_WIDTH) + least) continue;
      return { columns, ...share(room, { name, detail: least === 0 ? 0 : detail, width }) };
    }
  }
  return squeeze(sizeColumns(rows, ["word"]), width);
}

/** Too narrow for whole names: the word stays as long as anything of the name does. */
function squeeze(columns: Sizes["columns"], width: number): Sizes {
  const room = width - widthOf(columns);
  return room >= MIN_CUT_NAME_WIDTH
    ? { columns, name: room, detail: 0 }
    : { columns: [], name: width, detail: 0 };
}

function sizeColumns(rows: readonly IndentedRow[], set: readonly Column[]): Sizes["columns"] {
  const columns = set.map((name) => ({ name, width: widest(rows.map((row) => row[name])) }));
  return columns.filter((column) => column.width > 0);
}

function widthOf(columns: Sizes["columns"]): number {
  return columns.reduce((sum, column) => sum + column.width + GAP, 0);
}

interface Wanted {
  readonly name: number;
  readonly detail: number;
  readonly width: number;
}

/** Details may take two fifths of the line before names are cut, and whatever names leave. */
function share(room: number, { name, detail, width }: Wanted): { name: number; detail: number } {
  if (detail === 0) return { name: Math.min(name, room), detail: 0 };
  const reserved = Math.min(detail, Math.max(MIN_DETAIL_WIDTH, Math.floor(width * 0.4))) + GAP;
  const given = Math.min(name, Math.max(Math.min(name, MIN_NAME_WIDTH), room - reserved));
  return { name: given, detail: Math.max(0, room - given - GAP) };
}

function wholeDetail({ detail, command }: IndentedRow): string {
  return [detail, command].filter((part) => part !== "").join("  ");
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(textWidth));
}

function renderRow(row: IndentedRow, name: string, style: LayOutStyle & Sizes): string {
  const { paint, ascii, columns } = style;
  const cells = [
    { text: cutText(name, style.name, ascii), width: style.name, ink: inkName(row, paint) },
    ...columns.map((column) => ({
      text: alignCell(row, column),
      width: column.width,
      ink: column.name === "word" ? inkOf(row.tone, paint) : paint.dim,
    })),
    { text: detailCell(row, style), width: 0, ink: row.tone === "quiet" ? paint.dim : plain },
  ];
  const last = cells.findLastIndex(({ text }) => text.trim() !== "");
  return cells
    .slice(0, last + 1)
    .map(({ text, width, ink }, index) => ink(index === last ? text.trimEnd() : padText(text, width, "left")))
    .join(" ".repeat(GAP));
}

function alignCell(row: IndentedRow, { name, width }: Sizes["columns"][number]): string {
  return padText(row[name], width, name === "time" || name === "cost" ? "right" : "left");
}

/** The command is worth more than the end of the sentence before it, as long as some of that remains. */
function detailCell(row: IndentedRow, { detail: room, ascii }: LayOutStyle & Sizes): string {
  if (room === 0) return "";
  if (!hasCommand(row, room)) return cutText(row.detail, room, ascii);
  const left = room - textWidth(row.command) - GAP;
  return `${cutText(row.detail, left, ascii)}${" ".repeat(GAP)}${row.command}`;
}

function hasCommand({ command, detail }: IndentedRow, room: number): boolean {
  const least = Math.min(textWidth(detail), MIN_DETAIL_WIDTH);
  return command !== "" && room >= least + GAP + textWidth(command);
}

type Ink = (text: string) => string;
const plain: Ink = (text) => text;

function inkOf(tone: Tone, paint: Paint): Ink {
  const inks: Readonly<Record<Tone, Ink>> = {
    good: paint.green,
    bad: paint.red,
    attention: (text) => paint.yellow(paint.bold(text)),
    quiet: paint.dim,
    plain,
  };
  return inks[tone];
}

/** Only the mark is coloured; the lines of the tree and the title stay as they are. */
function inkName({ indent, mark, tone }: IndentedRow, paint: Paint): Ink {
  const start = `${indent}${mark}`;
  return (text) =>
    text.startsWith(start) ? indent + inkOf(tone, paint)(mark) + text.slice(start.length) : text;
}
