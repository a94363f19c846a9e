import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Creates the folders above `path` below `root`; returns false if one of them is a link or a file. Anyone may have
 * made the commit behind the tree, and writing through a link would leave it.
 */
export function makeParentFolders(root: string, path: string): boolean {
  let folder = root;
  for (const segment of path.split("/").slice(0, -1)) {
    if (segment === "" || segment === "." || segment === "..") return false;
    folder = join(folder, segment);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) mkdirSync(folder);
    else if (!stats.isDirectory()) return false;
  }
  return true;
}

/** Whether `makeParentFolders` would succeed. */
export function canHaveParents(root: string, path: string): boolean {
  let folder = root;
  for (const segment of path.split("/").slice(0, -1)) {
    if (segment === "" || segment === "." || segment === "..") return false;
    folder = join(folder, segment);
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) return false;
  }
  return true;
}
