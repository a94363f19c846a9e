import { cutText, padText, textWidth } from "../terminal/text-width.ts";
import { visibleText } from "../../base/visible-text.ts";

/** One task as a line shows it. */
export interface TaskRow {
  readonly id: string;
  readonly status: string;
  readonly priority: string;
  readonly language: string;
  readonly title: string;
}

export interface TaskListStyle {
  readonly ascii: boolean;
  /** Columns there are; undefined for as many as it takes. */
  readonly width: number | undefined;
}

const NARROWEST_TITLE = 20;
const GAP = "  ";
const columns = ["status", "priority", "language"] as const;
const HEADER: TaskRow = {
  id: "task",
  status: "status",
  priority: "priority",
  language: "language",
  title: "title",
};

/**
 * One line per task; only the title gives way when the terminal is narrow. Cells of the middle columns are few and
 * padded once: with a thousand tasks the rest would be felt.
 */
export function renderTaskList(tasks: readonly TaskRow[], style: TaskListStyle): string {
  const rows = [HEADER, ...tasks];
  const idWidth = rows.reduce((most, { id }) => Math.max(most, id.length), 0);
  const cells = columns.map((column) => padCells(rows, column));
  const taken = cells.reduce((sum, { width }) => sum + width + GAP.length, idWidth + GAP.length);
  const room = style.width === undefined ? undefined : Math.max(NARROWEST_TITLE, style.width - taken);
  const lines = rows.map((row) => {
    const middle = columns.map((column, index) => cells[index]?.padded.get(row[column]) ?? "").join("");
    const title = oneLine(row.title);
    return `${oneLine(row.id).padStart(idWidth)}${GAP}${middle}${room === undefined ? title : cut(title, room, style.ascii)}`;
  });
  return lines.join("\n");
}

/** Every different cell of a column, in the width of the widest. */
function padCells(rows: readonly TaskRow[], column: (typeof columns)[number]) {
  const texts = [...new Set(rows.map((row) => row[column]))];
  const width = texts.reduce((most, text) => Math.max(most, textWidth(oneLine(text))), 0);
  const padded = new Map(texts.map((text) => [text, padText(oneLine(text), width, "left") + GAP]));
  return { width, padded };
}

const plainText = /^[ -~]*$/;

function oneLine(text: string): string {
  if (plainText.test(text)) return text;
  return visibleText(text).replaceAll("\n", " ").replaceAll("\t", " ");
}

function cut(text: string, room: number, ascii: boolean): string {
  return text.length <= room && plainText.test(text) ? text : cutText(text, room, ascii);
}
