import { formatSpent } from "../../base/money.ts";
import { renderDuration } from "../../base/duration-text.ts";
import { safeText } from "../../base/safe-text.ts";
import type { TreeNode } from "../../app/view-types.ts";
import { layOut } from "../render/story-tree/lay-out.ts";
import type { ScreenSize } from "../reporters/tree/screen.ts";
import type { Paint } from "../terminal/paint.ts";
import { cutText, padText, textWidth } from "../terminal/text-width.ts";
import type { Frame } from "./full-screen.ts";
import { listPaneRows } from "./pane-rows.ts";
import { scrollTo } from "./press-key.ts";
import type { ScreenFacts } from "./screen-facts.ts";
import { takesText, type Entry, type ScreenState } from "./screen-state.ts";
import { elapsedMs, filterNodes, makeWorkerRows } from "./worker-rows.ts";

export interface ScreenStyle extends ScreenSize {
  readonly ascii: boolean;
  readonly paint: Paint;
}

/** The head and the line below it, the line for words, and the keys. */
const FRAME_ROWS = 4;

/** Rows between the head and the foot. */
export function bodyHeight({ rows }: ScreenSize): number {
  return Math.max(1, rows - FRAME_ROWS);
}

export function listNodes(state: ScreenState, { document }: ScreenFacts): readonly TreeNode[] {
  return filterNodes(document?.nodes ?? [], state.filter);
}

/** The whole screen: exactly as many lines as it has rows, none wider than it is. */
export function renderScreen(
  state: ScreenState,
  facts: ScreenFacts,
  style: ScreenStyle & { readonly cursorColumn: number },
): Frame {
  const height = bodyHeight(style);
  const { head, below, rows } =
    state.pane === "list" ? renderList(state, facts, style) : renderPane(state, facts, style);
  const body = [...rows, ...Array.from({ length: Math.max(0, height - rows.length) }, () => "")];
  const { line, cursor } = renderEntry(state, style);
  const all = [style.paint.bold(head), below, ...body, line, style.paint.dim(renderKeys(state, style))];
  const row = Math.min(style.rows, all.length) - 2;
  return { lines: all.slice(0, style.rows), cursor: cursor === null ? null : { row, column: cursor } };
}

interface Part {
  readonly head: string;
  readonly below: string;
  readonly rows: readonly string[];
}

function renderList(state: ScreenState, facts: ScreenFacts, style: ScreenStyle): Part {
  const { columns, ascii, paint } = style;
  const { document } = facts;
  if (document === undefined) return { head: "", below: "", rows: ["Reading the story…"] };
  const shown = listNodes(state, facts);
  const height = bodyHeight(style);
  const chosen = shown.findIndex(({ id }) => id === state.selected);
  const first = Math.max(0, Math.min(scrollTo(state.first, chosen, height), shown.length - height));
  const rowFacts = { nodes: document.nodes, outputs: facts.outputs, nowMs: facts.nowMs(), ascii };
  const laidOut = layOut(makeWorkerRows(rowFacts, shown), { width: columns - 2, ascii, paint });
  const lines = laidOut.lines.map((line, index) =>
    index === chosen ? `${paint.invert(">")} ${line}` : `  ${line}`,
  );
  const rows =
    shown.length === 0 ? [`  No worker matches "${safeText(state.filter)}". Esc shows all.`] : lines;
  return {
    head: renderHead(facts, style),
    below: renderBelow(state, facts, { ...style, first, shown: shown.length }),
    rows: rows.slice(first, first + height),
  };
}

function renderHead({ document, nowMs }: ScreenFacts, { columns, ascii }: ScreenStyle): string {
  if (document === undefined) return "";
  const { run, nodes } = document;
  const [root] = nodes;
  const parts = [
    run.stateWord,
    ...(run.workers === 0 ? [] : [`${run.ended} of ${run.workers} ended`]),
    ...(run.microUsd === 0 ? [] : [formatSpent(run.microUsd)]),
    ...(root === undefined ? [] : [renderDuration(elapsedMs(root, nowMs()))]),
  ];
  const dot = ascii ? " - " : " · ";
  const tail = parts.map((part) => dot + part).join("");
  const title = safeText(`${run.id}  ${run.title}`);
  return cutText(cutText(title, Math.max(10, columns - textWidth(tail)), ascii) + tail, columns, ascii);
}

function renderBelow(
  { filter }: ScreenState,
  facts: ScreenFacts,
  style: ScreenStyle & { readonly first: number; readonly shown: number },
): string {
  const { paint, columns, ascii, first, shown } = style;
  const last = Math.min(shown, first + bodyHeight(style));
  const place = shown > bodyHeight(style) ? `${first + 1}-${last} of ${shown}` : "";
  const asks = facts.questions.length;
  const isOpen = facts.document?.run.canGoOn === true;
  const notices = [
    ...(filter === "" ? [] : [`filter: ${safeText(filter)}`]),
    ...(asks === 0 ? [] : [`${asks === 1 ? "1 question waits" : `${asks} questions wait`} for you: n`]),
    ...(isOpen && !facts.isDriven
      ? [`No supervisor runs: ambit resume ${safeText(facts.document?.run.id ?? "")}`]
      : []),
  ];
  const left = cutText(notices.join("   "), Math.max(0, columns - place.length - 2), ascii);
  const line = padText(left, columns - place.length, "left");
  return (asks > 0 || (isOpen && !facts.isDriven) ? paint.yellow(line) : line) + paint.dim(place);
}

const paneNames = { log: "log", diff: "diff", question: "asks you", help: "help", list: "" } as const;

function renderPane(state: ScreenState, facts: ScreenFacts, style: ScreenStyle): Part {
  const { columns, ascii, paint } = style;
  const height = bodyHeight(style);
  const all = listPaneRows(state, facts, { width: columns, ascii, paint });
  const top = Math.min(state.top, Math.max(0, all.length - height));
  const node = facts.document?.nodes.find(({ id }) => id === state.selected);
  const dot = ascii ? " - " : " · ";
  const title = node === undefined ? "" : [node.label, node.title].map(safeText).join(" ").trim();
  const words = node === undefined ? [] : [node.stateWord, safeText(node.agent)].filter(Boolean);
  const place = `${all.length === 0 ? 0 : top + 1}-${Math.min(all.length, top + height)} of ${all.length}`;
  const name = describePane(state, facts);
  const follows = state.pane === "log" && state.top === Number.POSITIVE_INFINITY ? `${dot}newest` : "";
  return {
    head: cutText([title, ...words].join(dot), columns, ascii),
    below: paint.dim(cutText(`${name}${dot}${place}${follows}`, columns, ascii)),
    rows: all.slice(top, top + height),
  };
}

function describePane({ pane, stream }: ScreenState, { log, diff }: ScreenFacts): string {
  if (pane === "log") {
    const attempt = log !== undefined && log.attempt > 1 ? `, attempt ${log.attempt}` : "";
    return `${stream === "stdout" ? "log" : "log of stderr"}${attempt}`;
  }
  if (pane !== "diff" || diff === undefined) return paneNames[pane];
  return diff.read.isLive ? "diff as the files are now" : "diff of the kept work";
}

const labels: Readonly<Record<Entry["kind"], string>> = {
  filter: "filter: ",
  reply: "reply: ",
  message: "message: ",
  reject: "reject because: ",
  stop: "Stop it? Its work is kept. y stops, any other key does not.",
  approve: "Approve it? y approves, any other key does not.",
};

/** The line for words. A long text shows its end, where one types. */
function renderEntry(
  { entry, note }: ScreenState,
  style: ScreenStyle & { readonly cursorColumn: number },
): { readonly line: string; readonly cursor: number | null } {
  const { columns, ascii, paint } = style;
  if (entry === null) return { line: cutText(safeText(note), columns, ascii), cursor: null };
  const label = labels[entry.kind];
  if (!takesText(entry)) return { line: paint.yellow(cutText(label, columns, ascii)), cursor: null };
  const room = Math.max(1, columns - label.length - 1);
  const before = safeText(entry.before);
  const text = before + safeText(entry.text.slice(entry.before.length));
  const at = textWidth(before) + style.cursorColumn;
  const skipped = Math.max(0, at - room);
  const shown = cutText(Array.from(text).slice(skipped).join(""), room + 1, ascii);
  return { line: paint.bold(label) + shown, cursor: Math.min(columns - 1, label.length + at - skipped) };
}

function renderKeys({ pane, entry }: ScreenState, { columns, ascii }: ScreenStyle): string {
  // In letters they would push the last key off a terminal of 80 columns.
  const arrows = ascii ? "" : "↑↓  ";
  const scroll = ascii ? "" : "↑↓ scroll  ";
  const text =
    entry !== null
      ? takesText(entry)
        ? "Enter sends, Esc cancels"
        : ""
      : pane === "list"
        ? `${arrows}Enter open  d diff  r reply  a/x decide  s stop  / filter  ? keys  q quit`
        : `${scroll}l log  d diff  r reply  a/x decide  s stop  n next  ? keys  q back`;
  return cutText(text, columns, ascii);
}
