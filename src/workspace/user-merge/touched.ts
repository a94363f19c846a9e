import { lstatSync, type Stats } from "node:fs";
import { placeOf } from "../files/byte-path.ts";
import type { Repository } from "../git/repository.ts";
import { showPath } from "../git/show-path.ts";
import { readChangeLists, type TreeChange } from "../merge/change-list.ts";

/** What a checkout held before it is moved, or holds afterwards. */
export type Side = "from" | "to";

export interface Entry {
  /** Latin-1 text: one character per byte. */
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/** The mode of a path at which a commit of another repository is named. */
export const GITLINK = "160000";

/** The paths in which two commits, or two trees, differ: the only ones that moving a checkout may touch. */
export async function readTouched(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly TreeChange[]> {
  const [touched = []] = await readChangeLists(repository, [{ from, to }]);
  return touched;
}

/** Files and links that are there on one side. Other repositories are never entered. */
export function filesOn(touched: readonly TreeChange[], side: Side): readonly Entry[] {
  return entriesOn(touched, side).filter(({ mode }) => mode !== GITLINK);
}

export function entriesOn(touched: readonly TreeChange[], side: Side): readonly Entry[] {
  return touched
    .map(({ path, oldMode, newMode, oldId, newId }) =>
      side === "from" ? { path, mode: oldMode, id: oldId } : { path, mode: newMode, id: newId },
    )
    .filter(({ mode }) => mode !== "000000");
}

/** Paths at which there is nothing on one side. */
export function absentOn(touched: readonly TreeChange[], side: Side): readonly string[] {
  const absentKind = side === "from" ? "added" : "removed";
  return touched.filter(({ kind }) => kind === absentKind).map(({ path }) => path);
}

export function statOf(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(placeOf(root, path), { throwIfNoEntry: false });
  } catch {
    // A parent that is a file, or that may not be entered.
    return undefined;
  }
}

export function show(path: string): string {
  return showPath(Buffer.from(path, "latin1"));
}
