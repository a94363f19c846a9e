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
  /** Ids of branches that are closed. */
  readonly closed: ReadonlySet<string>;
  readonly text: string;
  readonly isOpenOnly: boolean;
}

type Tree = ReadonlyMap<string | null, readonly TreeNode[]>;

/** The rows to show, top to bottom. A match is shown with its managers even if their branches are closed. */
export function treeRows(nodes: ReadonlyMap<string, TreeNode>, query: TreeQuery): readonly TreeRow[] {
  const tree = workersByManager(nodes);
  const isFiltered = query.text.trim() !== "" || query.isOpenOnly;
  const found = isFiltered ? findWithManagers(nodes, query) : undefined;
  const rows: TreeRow[] = [];
  const visit = (manager: string | null, level: number): void => {
    const workers = (tree.get(manager) ?? []).filter(({ id }) => found?.has(id) ?? true);
    for (const [index, node] of workers.entries()) {
      const hasWorkers = (tree.get(node.id)?.length ?? 0) > 0;
      const isOpen = hasWorkers && (isFiltered || !query.closed.has(node.id));
      rows.push({ node, level, position: index + 1, siblings: workers.length, hasWorkers, isOpen });
      if (isOpen) visit(node.id, level + 1);
    }
  };
  visit(null, 1);
  return rows;
}

export function workersByManager(nodes: ReadonlyMap<string, TreeNode>): Tree {
  const tree = new Map<string | null, TreeNode[]>();
  for (const node of nodes.values()) {
    const manager = node.parent !== null && nodes.has(node.parent) ? node.parent : null;
    const workers = tree.get(manager);
    if (workers === undefined) tree.set(manager, [node]);
    else workers.push(node);
  }
  for (const workers of tree.values()) workers.sort((one, other) => readNumber(one) - readNumber(other));
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
