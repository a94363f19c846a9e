import { shownState, type StoryNode } from "../../../reports/story-node.ts";
import { rootOf, workersOf } from "../../../reports/story-view.ts";
import { groupRow, nodeRow, refusalRow, type Row, type RowStyle } from "./row.ts";

export interface IndentedRow extends Row {
  readonly indent: string;
}

export interface FoldedRows {
  readonly rows: readonly IndentedRow[];
  /** How many rows had no room. */
  readonly hidden: number;
}

/** What may be left out, the least missed first. */
const folds = ["done branches", "root", "refusals", "done siblings", "queued siblings"] as const;
type Fold = (typeof folds)[number];

/** All rows if they fit, else with as much folded away as it takes; then the most important ones in their order. */
export function foldRows(style: RowStyle, most: number): FoldedRows {
  for (const count of folds.keys()) {
    const items = topItems(style, new Set(folds.slice(0, count)));
    if (countItems(items) <= most) return { rows: indent(items, "", style.ascii), hidden: 0 };
  }
  const rows = indent(topItems(style, new Set(folds)), "", style.ascii);
  return rows.length <= most ? { rows, hidden: 0 } : keepImportant(rows, most);
}

/** One line is needed to say how many are missing, unless there is only one. */
function keepImportant(rows: readonly IndentedRow[], most: number): FoldedRows {
  const kept = [...rows]
    .sort((one, other) => one.weight - other.weight)
    .slice(0, Math.max(0, most > 1 ? most - 1 : most));
  return { rows: rows.filter((row) => kept.includes(row)), hidden: rows.length - kept.length };
}

interface Item {
  /** Made only when it is known that it will be shown. */
  readonly row: () => Row;
  readonly items: readonly Item[];
  /** The story's own line: what follows it is not below it. */
  readonly isRoot?: true;
}

function topItems(style: RowStyle, fold: ReadonlySet<Fold>): readonly Item[] {
  const root = rootOf(style.view);
  const { row, items } = nodeItem(root, style, fold);
  const isShown = !fold.has("root") || items.length === 0 || shownState(root) === "needs you";
  return isShown ? [{ row, items: [], isRoot: true }, ...items] : items;
}

function countItems(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + 1 + countItems(item.items), 0);
}

const lines = { fork: "├─ ", last: "└─ ", through: "│  ", blank: "   " } as const;
const asciiLines = { fork: "|- ", last: "`- ", through: "|  ", blank: "   " } as const;

function indent(items: readonly Item[], before: string, ascii: boolean): readonly IndentedRow[] {
  const branch = ascii ? asciiLines : lines;
  return items.flatMap(({ row, items: below, isRoot }, index) => {
    if (isRoot === true) return [Object.assign({ indent: "" }, row())];
    const isLast = index === items.length - 1;
    const inner = indent(below, before + (isLast ? branch.blank : branch.through), ascii);
    return [Object.assign({ indent: before + (isLast ? branch.last : branch.fork) }, row()), ...inner];
  });
}

function nodeItem(node: StoryNode, style: RowStyle, fold: ReadonlySet<Fold>): Item {
  const isFolded =
    fold.has("done branches") && node.workers.length > 0 && node.depth > 0 && isDone(node, style);
  const hidesRefusals = isFolded || fold.has("refusals");
  const hidden = (): { workers: number; refusals: number } => ({
    workers: isFolded ? countBelow(node, style) : 0,
    refusals: hidesRefusals ? node.refusals.length : 0,
  });
  const row = (): Row => nodeRow(node, hidden(), style);
  if (isFolded) return { row, items: [] };
  const refusals = hidesRefusals ? [] : node.refusals;
  return {
    row,
    items: [
      ...siblingItems(node, style, fold),
      ...refusals.map((refusal) => ({ row: () => refusalRow(refusal, style.ascii), items: [] })),
    ],
  };
}

/** Siblings that are grouped stand where the first of them stood. */
function siblingItems(node: StoryNode, style: RowStyle, fold: ReadonlySet<Fold>): readonly Item[] {
  const workers = workersOf(style.view, node);
  const done = fold.has("done siblings") ? workers.filter((worker) => isDone(worker, style)) : [];
  const queued = fold.has("queued siblings") ? workers.filter(isQueuedAlone) : [];
  const groups = [done, queued].filter(({ length }) => length > 1);
  return workers.flatMap((worker): readonly Item[] => {
    const group = groups.find((members) => members.includes(worker));
    if (group === undefined) return [nodeItem(worker, style, fold)];
    return group[0] === worker ? [{ row: () => groupRow(group, style.ascii), items: [] }] : [];
  });
}

function isQueuedAlone(node: StoryNode): boolean {
  return shownState(node) === "queued" && node.workers.length === 0;
}

/** Itself and everything below it has succeeded: nothing there to look at. */
function isDone(node: StoryNode, style: RowStyle): boolean {
  return node.outcome === "completed" && workersOf(style.view, node).every((worker) => isDone(worker, style));
}

function countBelow(node: StoryNode, style: RowStyle): number {
  return workersOf(style.view, node).reduce((sum, worker) => sum + 1 + countBelow(worker, style), 0);
}
