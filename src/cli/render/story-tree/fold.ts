import { shownState, type StoryNode, findRootNode, listWorkerNodes } from "../../../app/story-view.ts";
import { looks, refusedLook } from "./glyphs.ts";
import { groupRow, nodeRow, refusalRow, type Row, type RowStyle } from "./row.ts";

export interface IndentedRow extends Row {
  readonly indent: string;
}

export interface FoldedRows {
  readonly rows: readonly IndentedRow[];
  /** How many rows had no room. */
  readonly hidden: number;
}

/** Rows that may be left out, the least important first. */
const folds = ["done branches", "root", "refusals", "done siblings", "queued siblings"] as const;
type Fold = (typeof folds)[number];

/** All rows if they fit, else with as much folded away as it takes; then the most important ones in their order. */
export function foldRows(style: RowStyle, most: number): FoldedRows {
  for (const count of folds.keys()) {
    const items = topItems(style, new Set(folds.slice(0, count)));
    if (countItems(items) <= most) return { rows: indent(items, "", style.ascii).map(makeRow), hidden: 0 };
  }
  const places = indent(topItems(style, new Set(folds)), "", style.ascii);
  return places.length <= most ? { rows: places.map(makeRow), hidden: 0 } : keepImportant(places, most);
}

/** One line is needed to say how many are missing, unless there is only one. */
function keepImportant(places: readonly Place[], most: number): FoldedRows {
  const kept = new Set(
    places
      .toSorted((one, other) => one.weight - other.weight)
      .slice(0, Math.max(0, most > 1 ? most - 1 : most)),
  );
  const rows = places.filter((place) => kept.has(place)).map(makeRow);
  return { rows, hidden: places.length - rows.length };
}

/** The place of a row, before anything is written into it. */
interface Place {
  readonly indent: string;
  readonly weight: number;
  readonly row: () => Row;
}

function makeRow({ indent: before, row }: Place): IndentedRow {
  return { indent: before, ...row() };
}

interface Item {
  /** Made only when it is known that it will be shown. */
  readonly row: () => Row;
  /** When there is no room for all, the lowest stay. */
  readonly weight: number;
  readonly items: readonly Item[];
  /** The story's own line: what follows it is not below it. */
  readonly isRoot?: true;
}

function topItems(style: RowStyle, fold: ReadonlySet<Fold>): readonly Item[] {
  const root = findRootNode(style.view);
  const { row, weight, items } = nodeItem(root, style, fold);
  const isShown = !fold.has("root") || items.length === 0 || shownState(root) === "needs you";
  return isShown ? [{ row, weight, items: [], isRoot: true }, ...items] : items;
}

function countItems(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + 1 + countItems(item.items), 0);
}

const lines = { fork: "├─ ", last: "└─ ", through: "│  ", blank: "   " } as const;
const asciiLines = { fork: "|- ", last: "`- ", through: "|  ", blank: "   " } as const;

function indent(items: readonly Item[], before: string, ascii: boolean): readonly Place[] {
  const branch = ascii ? asciiLines : lines;
  return items.flatMap(({ row, weight, items: below, isRoot }, index): readonly Place[] => {
    if (isRoot === true) return [{ indent: "", weight, row }];
    const isLast = index === items.length - 1;
    const inner = indent(below, before + (isLast ? branch.blank : branch.through), ascii);
    return [{ indent: before + (isLast ? branch.last : branch.fork), weight, row }, ...inner];
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
  const { weight } = looks[shownState(node)];
  if (isFolded) return { row, weight, items: [] };
  const refusals = hidesRefusals ? [] : node.refusals;
  return {
    row,
    weight,
    items: [
      ...siblingItems(node, style, fold),
      ...refusals.map((refusal) => ({
        row: () => refusalRow(refusal, style.ascii),
        weight: refusedLook.weight,
        items: [],
      })),
    ],
  };
}

/** Grouped siblings take the place of the first of them. */
function siblingItems(node: StoryNode, style: RowStyle, fold: ReadonlySet<Fold>): readonly Item[] {
  const workers = listWorkerNodes(style.view, node);
  const done = fold.has("done siblings") ? workers.filter((worker) => isDone(worker, style)) : [];
  const queued = fold.has("queued siblings") ? workers.filter(isQueuedAlone) : [];
  const groups = [done, queued].filter(({ length }) => length > 1);
  const groupOf = new Map(groups.flatMap((group) => group.map((member) => [member, group])));
  return workers.flatMap((worker): readonly Item[] => {
    const group = groupOf.get(worker);
    if (group === undefined) return [nodeItem(worker, style, fold)];
    const { weight } = looks[shownState(worker)];
    return group[0] === worker ? [{ row: () => groupRow(group, style.ascii), weight, items: [] }] : [];
  });
}

function isQueuedAlone(node: StoryNode): boolean {
  return shownState(node) === "queued" && node.workers.length === 0;
}

/** Itself and everything below it has succeeded: nothing there to look at. */
function isDone(node: StoryNode, style: RowStyle): boolean {
  return (
    node.outcome === "completed" && listWorkerNodes(style.view, node).every((worker) => isDone(worker, style))
  );
}

function countBelow(node: StoryNode, style: RowStyle): number {
  return listWorkerNodes(style.view, node).reduce((sum, worker) => sum + 1 + countBelow(worker, style), 0);
}
