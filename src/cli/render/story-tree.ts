import { safeText } from "../../base/safe-text.ts";
import type { StoryView } from "../../app/story-view.ts";
import { sumStoryTotals } from "../../app/story-view.ts";
import type { Paint } from "../terminal/paint.ts";
import { foldRows } from "./story-tree/fold.ts";
import { renderHeadLine } from "./story-tree/head-line.ts";
import { layOut } from "./story-tree/lay-out.ts";
import { commandFor } from "./story-tree/row.ts";
import { cutText } from "../terminal/text-width.ts";

export interface TreeStyle {
  /** Columns and rows there are; no line is wider, and there are not more lines. */
  readonly width: number;
  readonly rows: number;
  readonly nowMs: number;
  readonly ascii: boolean;
  readonly paint: Paint;
  /** Last line, where there is room for it. */
  readonly hint?: string;
}

/** Below this many rows every one of them is needed for the tree. */
const ROWS_FOR_A_HINT = 8;

/** A running story on one screen: what needs a person and what works always shows, what is done is folded away first. */
export function renderTree(view: StoryView, style: TreeStyle): string {
  const { width, rows: most, paint, ascii } = style;
  if (most < 1 || width < 1) return "";
  const head = paint.bold(renderHeadLine(view, style));
  const hint = style.hint === undefined || most < ROWS_FOR_A_HINT ? [] : [paint.dim(cut(style.hint, style))];
  const { rows, hidden } = foldRows({ view, ...style }, most - 1 - hint.length);
  const { lines, hasCommands } = layOut(rows, style);
  const left = most - 1 - lines.length - hint.length;
  const rest = hidden > 0 && left > 0 ? [cut(moreText(hidden, view, ascii), style)] : [];
  const asks = hasCommands || left - rest.length < 1 ? [] : askLine(view, style);
  return [head, ...lines, ...rest, ...asks, ...hint].join("\n");
}

function moreText(hidden: number, view: StoryView, ascii: boolean): string {
  return `${ascii ? "..." : "…"} ${hidden} more: ambit tree ${safeText(view.story)}`;
}

/** Commands that answer questions, for rows that had no room for them. */
function askLine(view: StoryView, style: TreeStyle): readonly string[] {
  const [node] = sumStoryTotals(view, style.nowMs).needsYou;
  const [asked] = node?.approvals ?? [];
  if (node === undefined || asked === undefined) return [];
  return [cut(`${commandFor(node, asked)}  ${safeText(asked.question)}`, style)];
}

function cut(text: string, { width, ascii }: TreeStyle): string {
  return cutText(text, width, ascii);
}
