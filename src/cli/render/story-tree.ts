import { safeText } from "../../base/safe-text.ts";
import { type StoryView, sumStoryTotals, findRootNode, type StoryTotals } from "../../app/story-view.ts";
import { formatSpent, formatUsd } from "../../base/money.ts";
import type { Paint } from "../terminal/paint.ts";
import { foldRows } from "./story-tree/fold.ts";
import { layOut } from "./story-tree/lay-out.ts";
import { commandFor, oneLine } from "./story-tree/row.ts";
import { cutText, textWidth } from "../terminal/text-width.ts";

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

const MIN_TITLE_WIDTH = 12;

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

interface HeadStyle {
  readonly width: number;
  readonly nowMs: number;
  readonly ascii: boolean;
}

/** Title, id, progress, cost, time and depth; what is worth least goes first, the title is cut last. */
function renderHeadLine(view: StoryView, { width, nowMs, ascii }: HeadStyle): string {
  const totals = sumStoryTotals(view, nowMs);
  const dot = ascii ? " - " : " · ";
  const parts = [
    { text: safeText(view.story), worth: 2 },
    { text: totals.workers === 0 ? "" : `${totals.done}/${totals.workers} done`, worth: 5 },
    { text: costText(totals, findRootNode(view).state === "closed"), worth: 4 },
    { text: timeText(totals), worth: 3 },
    { text: depthText(totals), worth: 1 },
  ].filter(({ text }) => text !== "");
  const title = oneLine(findRootNode(view).title);
  let shown = parts;
  const tail = (): string => shown.map(({ text }) => dot + text).join("");
  const least = Math.min(textWidth(title), MIN_TITLE_WIDTH);
  while (shown.length > 0 && least + textWidth(tail()) > width) {
    const lowest = Math.min(...shown.map(({ worth }) => worth));
    shown = shown.filter(({ worth }) => worth !== lowest);
  }
  const room = Math.max(0, width - textWidth(tail()));
  const line = cutText(title, room, ascii) + tail();
  return title === "" ? cutText(line.slice(dot.length), width, ascii) : line;
}

/** Before the end nothing reported may mean nothing used yet. */
function costText(totals: StoryTotals, hasEnded: boolean): string {
  const { microUsd, tokens, budgetMicroUsd, costSource } = totals;
  const of = budgetMicroUsd === null ? "" : ` of ${formatUsd(budgetMicroUsd)}`;
  if (microUsd === 0 && tokens === 0 && !hasEnded) return of === "" ? "" : `$0.00${of}`;
  const source = costSource === "reported" || microUsd === 0 ? "" : ` ${costSource}`;
  return `${formatSpent(microUsd, tokens)}${of}${source}`;
}

function timeText({ elapsedMs, timeoutMs }: StoryTotals): string {
  return `${clockText(elapsedMs)}${timeoutMs === null ? "" : ` of ${clockText(timeoutMs)}`}`;
}

/** `04:12`, `1:04:12` */
function clockText(durationMs: number): string {
  const seconds = Math.floor(durationMs / 1000);
  const hours = Math.floor(seconds / 3600);
  const rest = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  return [...(hours === 0 ? [] : [String(hours)]), ...rest].join(":");
}

function depthText({ depth, maxDepth }: StoryTotals): string {
  return depth === 0 || maxDepth === null ? "" : `depth ${depth} of ${maxDepth}`;
}
