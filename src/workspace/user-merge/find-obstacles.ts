import { readdirSync } from "node:fs";
import { canWrite } from "../../base/files.ts";
import { joinBytePath, listFoldersAbove } from "../files/byte-path.ts";
import type { PrivateGit } from "../git/private-directory.ts";
import { listDifferent, makeMiniIndex } from "./mini-index.ts";
import {
  type TreeChange,
  listAbsentOn,
  listEntriesOn,
  listFilesOn,
  GITLINK,
  type Side,
  readPathStat,
} from "./touched.ts";

/**
 * Lists paths at which the work tree differs from one side: changed, removed, or present although nothing should be
 * there.
 */
export async function listDifferences(
  git: PrivateGit,
  touched: readonly TreeChange[],
  side: Side,
): Promise<ReadonlySet<string>> {
  const root = git.place.workTree ?? "";
  const place = await makeMiniIndex(git, `index-${side}`, listFilesOn(touched, side));
  const different = await listDifferent(place);
  const unexpected = listAbsentOn(touched, side).filter(
    (path) => readPathStat(root, path)?.isDirectory() === false,
  );
  return new Set([...different, ...unexpected]);
}

/** Lists entries that lie where new files or their folders go and are not among the removed files. */
export function listBlocking(root: string, touched: readonly TreeChange[]): readonly string[] {
  const leaving = new Set(listAbsentOn(touched, "to"));
  const found = listEntriesOn(touched, "to").flatMap(({ path, mode }) => {
    const wall = listFoldersAbove(path).find((folder) => readPathStat(root, folder)?.isDirectory() === false);
    if (wall !== undefined) return [wall];
    // The files of a checked-out submodule do not count.
    const isFolder = mode !== GITLINK && readPathStat(root, path)?.isDirectory() === true;
    return isFolder ? listFilesBelow(root, path) : [];
  });
  return [...new Set(found.filter((path) => !leaving.has(path)))];
}

/** Lists folders in which a move adds, replaces or removes entries although we may not write there. */
export function listLockedFolders(root: string, touched: readonly TreeChange[]): readonly string[] {
  const folders = touched.map(({ path }) => {
    const isFolder = (folder: string): boolean => readPathStat(root, folder)?.isDirectory() === true;
    return listFoldersAbove(path).findLast(isFolder) ?? "";
  });
  return [...new Set(folders)].filter((folder) => !canWrite(joinBytePath(root, folder)));
}

function listFilesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(joinBytePath(root, folder), { withFileTypes: true, encoding: "buffer" }).flatMap(
    (entry) => {
      const path = `${folder}/${entry.name.toString("latin1")}`;
      return entry.isDirectory() ? listFilesBelow(root, path) : [path];
    },
  );
}
