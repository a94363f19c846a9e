import { readChangeLists, type TreeChange } from "./merge/change-list.ts";
import { foldersAbove } from "./merge/paths.ts";
import type { Repository } from "./repository.ts";
import { showPath } from "./scope/show-path.ts";

/** Work that may be merged beside other work. */
export interface PendingWork {
  /** How it is called in the answer. */
  readonly name: string;
  readonly base: string;
  readonly tip: string;
}

export interface Overlap {
  readonly left: string;
  readonly right: string;
  /** Paths both touch, and paths that are a file in one and a folder in the other. Names that are not UTF-8 are quoted. */
  readonly paths: readonly string[];
}

/**
 * Which pieces of work touch the same paths, in the order given. One git call for any number of them; what overlaps
 * need not conflict, and only work with deletions or renames can conflict without showing up here.
 */
export async function overlappingPaths(
  repository: Repository,
  work: readonly PendingWork[],
): Promise<readonly Overlap[]> {
  const lists = await readChangeLists(
    repository,
    work.map(({ base, tip }) => ({ from: base, to: tip })),
  );
  return findOverlaps(work.map(({ name }, index) => ({ name, paths: pathsOf(lists[index] ?? []) })));
}

export interface NamedPaths {
  readonly name: string;
  readonly paths: readonly string[];
}

/** The same for paths that are already known. */
export function findOverlaps(work: readonly NamedPaths[]): readonly Overlap[] {
  const owners = new Map<string, number[]>();
  for (const [index, { paths }] of work.entries())
    for (const path of new Set(paths)) owners.set(path, [...(owners.get(path) ?? []), index]);
  const shared = new Map<string, Set<string>>();
  const note = (left: number, right: number, path: string): void => {
    const key = left < right ? `${left} ${right}` : `${right} ${left}`;
    shared.set(key, (shared.get(key) ?? new Set()).add(path));
  };
  for (const [path, indexes] of owners) {
    for (const [at, left] of indexes.entries())
      for (const right of indexes.slice(at + 1)) note(left, right, path);
    for (const [folder, left] of ownersAbove(owners, path))
      for (const right of indexes.filter((index) => index !== left)) note(left, right, folder);
  }
  return [...shared].map(([key, paths]) => describe(work, key, paths)).toSorted(inOrder(work));
}

function ownersAbove(
  owners: ReadonlyMap<string, readonly number[]>,
  path: string,
): readonly (readonly [string, number])[] {
  return foldersAbove(path).flatMap((folder) =>
    (owners.get(folder) ?? []).map((owner) => [folder, owner] as const),
  );
}

function describe(work: readonly NamedPaths[], key: string, paths: ReadonlySet<string>): Overlap {
  const [left = 0, right = 0] = key.split(" ").map(Number);
  return { left: work[left]?.name ?? "", right: work[right]?.name ?? "", paths: [...paths].toSorted() };
}

function inOrder(work: readonly NamedPaths[]): (one: Overlap, other: Overlap) => number {
  const places = new Map(work.map(({ name }, index) => [name, index]));
  const rank = ({ left, right }: Overlap): number =>
    (places.get(left) ?? 0) * work.length + (places.get(right) ?? 0);
  return (one, other) => rank(one) - rank(other);
}

function pathsOf(changes: readonly TreeChange[]): readonly string[] {
  return changes.map(({ path }) => showPath(Buffer.from(path, "latin1")));
}
