import { safeText } from "../../../base/safe-text.ts";
import { formatSpent, formatUsd } from "../../../base/money.ts";
import { type StoryView, findRootNode } from "../../../app/story-view.ts";
import { sumStoryTotals, type StoryTotals } from "../../../app/story-view.ts";
import { cutText, textWidth } from "../../terminal/text-width.ts";
import { oneLine } from "./row.ts";

export interface HeadStyle {
  readonly width: number;
  readonly nowMs: number;
  readonly ascii: boolean;
}

const MIN_TITLE_WIDTH = 12;

/** Title, id, progress, cost, time and depth; what is worth least goes first, the title is cut last. */
export function renderHeadLine(view: StoryView, { width, nowMs, ascii }: HeadStyle): string {
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
