import type { PrivateGit } from "../git/private-directory.ts";
import { isNestedRepository } from "../git/status.ts";
import { compareWithHead } from "./compare-tree.ts";
import { findLfsFiles } from "./lfs-files.ts";
import { listNestedFiles } from "./nested-files.ts";
import { sortOutPaths } from "./sort-out.ts";

/** Lists files of a work tree that differ from HEAD, except those that no commit can hold. */
export async function listUnsavedFiles(git: PrivateGit, indexFile: string): Promise<readonly Buffer[]> {
  const { entries } = await compareWithHead({ git, indexFile, tracked: "head" });
  const nested = entries.filter(isNestedRepository).map(({ path }) => path);
  // A nested repository is saved as its files; without files there is nothing to save.
  const inside = nested.length === 0 ? [] : (await listNestedFiles(git, nested)).files;
  const files = entries.filter((entry) => !isNestedRepository(entry));
  const unchanged = (await findLfsFiles(git, files)).filter(({ isInHead }) => isInHead);
  const kept = new Set(unchanged.map(({ entry }) => entry));
  const plain = files.filter((entry) => !kept.has(entry));
  const present = [...plain.filter((entry) => !entry.isRemoved).map(({ path }) => path), ...inside];
  const { leftOut } = sortOutPaths({
    workTree: git.place.workTree ?? "",
    maxFileBytes: Infinity,
    removed: [],
    present,
  });
  const cannotBeSaved = new Set(leftOut.map(({ path }) => path));
  return [...plain.map(({ path }) => path), ...inside].filter((path) => !cannotBeSaved.has(path));
}
