import type { TreeChange } from "./change-list.ts";
import { foldersAbove } from "./paths.ts";

export interface PlannedTip {
  /** The merge base with the target. */
  readonly base: string;
  readonly changes: readonly TreeChange[];
}

export interface PlanFacts {
  readonly into: string;
  readonly tips: readonly PlannedTip[];
  /** What the target changed since each base that is not the target itself. */
  readonly sinceBase: ReadonlyMap<string, readonly TreeChange[]>;
}

/** Tips by their position. */
export interface MergePlan {
  /** Nobody else touches what these change: their changes are simply taken. */
  readonly plain: readonly number[];
  /** Git merges these one after the other; what it does in one group has no bearing on any other. */
  readonly groups: readonly (readonly number[])[];
}

/**
 * Which tips can be merged by taking their changes as they are, and which need git's merge. `mayRename` says that git
 * could take files that vanished here and appeared there for renamed ones, and that this would change the outcome: then
 * everything that adds or removes files, or touches such a file, is merged by git, in order.
 */
export function planMerges(facts: PlanFacts, mayRename: boolean): MergePlan {
  const { into, tips, sinceBase } = facts;
  const groups = joinOverlapping(tips);
  const moving = mayRename ? findMoving(facts) : new Set<number>();
  groups.joinAll([...moving]);
  const needsGit = (index: number): boolean => {
    const tip = tips[index];
    if (tip === undefined) return false;
    const changed = tip.base === into ? undefined : sinceBase.get(tip.base);
    return moving.has(index) || (changed !== undefined && doOverlap(tip.changes, changed));
  };
  const members = groups.list();
  const isPlain = (group: readonly number[]): boolean => group.length === 1 && !group.some(needsGit);
  return { plain: members.filter(isPlain).flat(), groups: members.filter((group) => !isPlain(group)) };
}

/** Whether two sets of changes touch the same path, or one has a file where the other has a folder. */
function doOverlap(left: readonly TreeChange[], right: readonly TreeChange[]): boolean {
  const paths = new Set(right.map(({ path }) => path));
  const folders = new Set(right.flatMap(({ path }) => foldersAbove(path)));
  return left.some(
    ({ path }) =>
      paths.has(path) || folders.has(path) || foldersAbove(path).some((folder) => paths.has(folder)),
  );
}

/** Tips that touch a path which somebody adds or removes. */
function findMoving({ tips, sinceBase }: PlanFacts): ReadonlySet<number> {
  const all = [...tips.map(({ changes }) => changes), ...sinceBase.values()].flat();
  const moved = new Set(all.filter(({ kind }) => kind !== "changed").map(({ path }) => path));
  const indexes = [...tips.keys()];
  return new Set(indexes.filter((index) => tips[index]?.changes.some(({ path }) => moved.has(path))));
}

interface Groups {
  joinAll(indexes: readonly number[]): void;
  list(): readonly (readonly number[])[];
}

function joinOverlapping(tips: readonly PlannedTip[]): Groups {
  const groups = makeGroups(tips.length);
  const owners = new Map<string, number>();
  for (const [index, { changes }] of tips.entries()) {
    for (const { path } of changes) {
      const owner = owners.get(path);
      if (owner === undefined) owners.set(path, index);
      else groups.joinAll([owner, index]);
    }
  }
  for (const [path, index] of owners) {
    for (const folder of foldersAbove(path)) {
      const owner = owners.get(folder);
      if (owner !== undefined) groups.joinAll([owner, index]);
    }
  }
  return groups;
}

/** Sets that only ever grow together; each keeps the order of its members. */
function makeGroups(count: number): Groups {
  const parents = Array.from({ length: count }, (_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    for (let above = parents[root]; above !== undefined && above !== root; above = parents[root])
      root = above;
    parents[index] = root;
    return root;
  };
  return {
    joinAll: (indexes) => {
      const [first, ...others] = indexes;
      if (first !== undefined) for (const other of others) parents[rootOf(other)] = rootOf(first);
    },
    list: () => {
      const members = new Map<number, number[]>();
      for (const index of parents.keys()) {
        const root = rootOf(index);
        const group = members.get(root);
        if (group === undefined) members.set(root, [index]);
        else group.push(index);
      }
      return [...members.values()];
    },
  };
}
