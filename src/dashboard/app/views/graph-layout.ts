import type { TreeNode } from "../../../app/view-types.ts";
import { workersByManager } from "./tree-rows.ts";

export interface Spot {
  readonly node: TreeNode;
  readonly x: number;
  readonly y: number;
}

export interface Edge {
  readonly id: string;
  readonly kind: "manager" | "dependency";
  readonly from: Spot;
  readonly to: Spot;
}

export interface GraphLayout {
  /** In reading order: a manager before its workers. */
  readonly spots: readonly Spot[];
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

export const box = { width: 196, height: 46 } as const;
const gap = { x: 64, y: 12 } as const;
const margin = 16;

/** Changes only if the layout would: with the nodes, their managers and their dependencies, not their states. */
export function describeShape(nodes: ReadonlyMap<string, TreeNode>): string {
  return [...nodes.values()]
    .map(({ id, parent, dependsOn }) => `${id}<${parent ?? ""}<${dependsOn.join()}`)
    .join();
}

/** Depth runs from left to right; every leaf has its own line, and a manager shares the line of its first worker. */
export function layOut(nodes: ReadonlyMap<string, TreeNode>): GraphLayout {
  const tree = workersByManager(nodes);
  const spots = new Map<string, Spot>();
  let line = 0;
  const place = (node: TreeNode, depth: number): Spot => {
    // Reserved first, so that managers come before their workers.
    spots.set(node.id, { node, x: 0, y: 0 });
    const workers = (tree.get(node.id) ?? []).map((worker) => place(worker, depth + 1));
    const [first] = workers;
    const y = first === undefined ? margin + line++ * (box.height + gap.y) : first.y;
    const spot = { node, x: margin + depth * (box.width + gap.x), y };
    spots.set(node.id, spot);
    return spot;
  };
  for (const root of tree.get(null) ?? []) place(root, 0);
  const all = [...spots.values()];
  return {
    spots: all,
    edges: [...managerEdges(spots), ...dependencyEdges(spots)],
    width: all.reduce((most, { x }) => Math.max(most, x), 0) + box.width + 3 * margin,
    height: all.reduce((most, { y }) => Math.max(most, y), 0) + box.height + margin,
  };
}

function managerEdges(spots: ReadonlyMap<string, Spot>): readonly Edge[] {
  return [...spots.values()].flatMap((to) => {
    const from = to.node.parent === null ? undefined : spots.get(to.node.parent);
    return from === undefined ? [] : [{ id: `m ${to.node.id}`, kind: "manager" as const, from, to }];
  });
}

function dependencyEdges(spots: ReadonlyMap<string, Spot>): readonly Edge[] {
  return [...spots.values()].flatMap((to) =>
    to.node.dependsOn.flatMap((id) => {
      const from = spots.get(id);
      return from === undefined
        ? []
        : [{ id: `d ${id} ${to.node.id}`, kind: "dependency" as const, from, to }];
    }),
  );
}

/** Manager edges run from side to side; dependencies bend to the right, so that they cross no box. */
export function drawPath({ kind, from, to }: Edge): string {
  const fromY = from.y + box.height / 2;
  const toY = to.y + box.height / 2;
  const start = from.x + box.width;
  if (kind === "manager") {
    const middle = (start + to.x) / 2;
    return `M${start} ${fromY}C${middle} ${fromY} ${middle} ${toY} ${to.x} ${toY}`;
  }
  const end = to.x + box.width;
  const bow = Math.max(start, end) + 28;
  return `M${start} ${fromY + 8}C${bow} ${fromY + 8} ${bow} ${toY - 8} ${end + 3} ${toY - 8}`;
}
