import { readdirSync } from "node:fs";
import { placeOf, foldersAbove } from "../files/byte-path.ts";
import type { PrivateGit } from "../git/private-directory.ts";
import { listDifferent, makeMiniIndex } from "./mini-index.ts";
import { type TreeChange, absentOn, entriesOn, filesOn, GITLINK, type Side, statOf } from "./touched.ts";

/** Lists paths at which the work tree differs from one side: changed, removed, or present where nothing should be. */
export async function listStrangers(
  git: PrivateGit,
  touched: readonly TreeChange[],
  side: Side,
): Promise<ReadonlySet<string>> {
  const root = git.place.workTree ?? "";
  const place = await makeMiniIndex(git, `index-${side}`, filesOn(touched, side));
  const different = await listDifferent(place);
  const unexpected = absentOn(touched, side).filter((path) => statOf(root, path)?.isDirectory() === false);
  return new Set([...different, ...unexpected]);
}

/** Lists what lies where new files or their folders go and is not among the removed files. */
export function listBlocking(root: string, touched: readonly TreeChange[]): readonly string[] {
  const leaving = new Set(absentOn(touched, "to"));
  const found = entriesOn(touched, "to").flatMap(({ path, mode }) => {
    const wall = foldersAbove(path).find((folder) => statOf(root, folder)?.isDirectory() === false);
    if (wall !== undefined) return [wall];
    // The files of a checked-out submodule are not ours to count.
    const isFolder = mode !== GITLINK && statOf(root, path)?.isDirectory() === true;
    return isFolder ? filesBelow(root, path) : [];
  });
  return [...new Set(found.filter((path) => !leaving.has(path)))];
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(placeOf(root, folder), { withFileTypes: true, encoding: "buffer" }).flatMap((entry) => {
    const path = `${folder}/${entry.name.toString("latin1")}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
