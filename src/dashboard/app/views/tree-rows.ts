import type { TreeNode } from "../../../app/view-types.ts";
import { hasEnded } from "../text/state-look.ts";

export interface TreeRow {
  readonly node: TreeNode;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly hasWorkers: boolean;
  readonly isOpen: boolean;
}

export interface TreeQuery {
  /** Branches that a person opened or closed; the others are open if something in them needs a look. */
  readonly toggled: ReadonlyMap<string, boolean>;
  readonly text: string;
  readonly isOpenOnly: boolean;
  readonly sort: TreeSort;
}

export const treeSorts = ["number", "state", "time", "cost"] as const;
export type TreeSort = (typeof treeSorts)[number];

type Tree = ReadonlyMap<string | null, readonly TreeNode[]>;

/** The rows to show, top to bottom. A match is shown with its managers even if their branches are closed. */
export function treeRows(nodes: ReadonlyMap<string, TreeNode>, query: TreeQuery): readonly TreeRow[] {
  const tree = workersByManager(nodes, query.sort);
  const watched = listWatched(nodes);
  const isFiltered = query.text.trim() !== "" || query.isOpenOnly;
  const found = isFiltered ? findWithManagers(nodes, query) : undefined;
  const rows: TreeRow[] = [];
  const visit = (manager: string | null, level: number): void => {
    const workers = (tree.get(manager) ?? []).filter(({ id }) => found?.has(id) ?? true);
    for (const [index, node] of workers.entries()) {
      const hasWorkers = (tree.get(node.id)?.length ?? 0) > 0;
      const isOpen = hasWorkers && (isFiltered || (query.toggled.get(node.id) ?? watched.has(node.id)));
      rows.push({ node, level, position: index + 1, siblings: workers.length, hasWorkers, isOpen });
      if (isOpen) visit(node.id, level + 1);
    }
  };
  visit(null, 1);
  return rows;
}

/** A story with fewer delegations is shown whole. */
const MIN_FOLDED = 40;

/** Branches that are open at first: the story itself, and those with something that runs, asks or went wrong. */
function listWatched(nodes: ReadonlyMap<string, TreeNode>): ReadonlySet<string> {
  if (nodes.size < MIN_FOLDED) return new Set(nodes.keys());
  const watched = new Set<string>();
  for (const node of nodes.values()) {
    if (node.parent === null) watched.add(node.id);
    if (rankAttention(node) > MAX_WATCHED_RANK) continue;
    for (let up = nodes.get(node.parent ?? ""); up !== undefined && !watched.has(up.id);) {
      watched.add(up.id);
      up = nodes.get(up.parent ?? "");
    }
  }
  return watched;
}

const MAX_WATCHED_RANK = 3;

/** How soon a person should look at it: what asks first, then what went wrong, then what runs. */
function rankAttention({ state }: TreeNode): number {
  if (state === "needs you") return 0;
  if (state === "failed" || state === "timed_out" || state === "blocked") return 1;
  if (state === "partial" || state === "stopping") return 2;
  if (hasEnded(state)) return 5;
  return state === "queued" || state === "parked" ? 4 : 3;
}

const compares: Readonly<Record<TreeSort, (one: TreeNode, other: TreeNode) => number>> = {
  number: (one, other) => readNumber(one) - readNumber(other),
  state: (one, other) => rankAttention(one) - rankAttention(other),
  time: (one, other) => measureTime(other) - measureTime(one),
  cost: (one, other) => other.totalMicroUsd - one.totalMicroUsd,
};

function measureTime({ startedAtMs, endedAtMs }: TreeNode): number {
  return startedAtMs === null ? -1 : (endedAtMs ?? Date.now()) - startedAtMs;
}

export function workersByManager(nodes: ReadonlyMap<string, TreeNode>, sort: TreeSort = "number"): Tree {
  const tree = new Map<string | null, TreeNode[]>();
  for (const node of nodes.values()) {
    const manager = node.parent !== null && nodes.has(node.parent) ? node.parent : null;
    const workers = tree.get(manager);
    if (workers === undefined) tree.set(manager, [node]);
    else workers.push(node);
  }
  for (const workers of tree.values())
    workers.sort((one, other) => compares[sort](one, other) || compares.number(one, other));
  return tree;
}

/** The last part of `2.1` is its number among its siblings. */
function readNumber({ label }: TreeNode): number {
  return Number(label.slice(label.lastIndexOf(".") + 1));
}

function findWithManagers(nodes: ReadonlyMap<string, TreeNode>, query: TreeQuery): ReadonlySet<string> {
  const words = query.text
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "");
  const found = new Set<string>();
  for (const node of nodes.values()) {
    if (query.isOpenOnly && hasEnded(node.state)) continue;
    if (!words.every((word) => haystack(node).includes(word))) continue;
    for (let up: TreeNode | undefined = node; up !== undefined && !found.has(up.id);) {
      found.add(up.id);
      up = up.parent === null ? undefined : nodes.get(up.parent);
    }
  }
  return found;
}

function haystack({ id, label, title, agent, model, stateWord, code, activity }: TreeNode): string {
  return `${id} ${label} ${title} ${agent} ${model} ${stateWord} ${code ?? ""} ${activity}`.toLowerCase();
}
