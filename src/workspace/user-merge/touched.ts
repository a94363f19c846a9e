import { lstatSync, type Stats } from "node:fs";
import { joinBytePath } from "../files/byte-path.ts";
import { formatBytePath } from "../git/format-byte-path.ts";
import { type ChangedFile, readChangedFiles } from "../git/read-changes.ts";
import type { Repository } from "../git/repository.ts";

/** A path at which two trees differ, as Latin-1 text: one character per byte, whatever its encoding. */
export type TreeChange = Omit<ChangedFile, "bytes">;

/** The state of a checkout before or after its move. */
export type Side = "from" | "to";

export interface Entry {
  /** Latin-1 text: one character per byte. */
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/** The mode of a path that refers to a commit of another repository. */
export const GITLINK = "160000";

/** Lists the paths at which two commits, or two trees, differ: moving a checkout may touch only these. */
export async function readTouchedPaths(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly TreeChange[]> {
  const changes = await readChangedFiles(repository, from, to);
  return changes.map(({ bytes, kind, oldMode, newMode, oldId, newId }) => ({
    path: bytes.toString("latin1"),
    kind,
    oldMode,
    newMode,
    oldId,
    newId,
  }));
}

/** Lists files and links that exist on one side. Other repositories are never entered. */
export function listFilesOn(touched: readonly TreeChange[], side: Side): readonly Entry[] {
  return listEntriesOn(touched, side).filter(({ mode }) => mode !== GITLINK);
}

export function listEntriesOn(touched: readonly TreeChange[], side: Side): readonly Entry[] {
  return touched
    .map(({ path, oldMode, newMode, oldId, newId }) =>
      side === "from" ? { path, mode: oldMode, id: oldId } : { path, mode: newMode, id: newId },
    )
    .filter(({ mode }) => mode !== "000000");
}

/** Lists paths that do not exist on one side. */
export function listAbsentOn(touched: readonly TreeChange[], side: Side): readonly string[] {
  const absentKind = side === "from" ? "added" : "removed";
  return touched.filter(({ kind }) => kind === absentKind).map(({ path }) => path);
}

export function reverseChange(change: TreeChange): TreeChange {
  const kinds = { added: "removed", removed: "added", changed: "changed" } as const;
  const { path, kind, oldMode, newMode, oldId, newId } = change;
  return { path, kind: kinds[kind], oldMode: newMode, newMode: oldMode, oldId: newId, newId: oldId };
}

export function readPathStat(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(joinBytePath(root, path), { throwIfNoEntry: false });
  } catch {
    // The parent is a file, or may not be entered.
    return undefined;
  }
}

export function showLatin1Path(path: string): string {
  return formatBytePath(Buffer.from(path, "latin1"));
}
