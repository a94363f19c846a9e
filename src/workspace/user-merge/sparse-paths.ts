import { join } from "node:path";
import { listFoldersAbove } from "../files/byte-path.ts";
import { type PrivateGit, findReadableIndex } from "../git/private-directory.ts";
import type { Repository } from "../git/repository.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";

/**
 * Lists those of some paths that a sparse checkout leaves out. A path that is not in the index counts as left out if
 * everything in the nearest folder that git knows is.
 */
export async function listLeftOut(
  repository: Repository,
  git: PrivateGit,
  paths: Iterable<string>,
): Promise<readonly string[]> {
  const { leftOut, known, present } = await readSparseIndex(repository, git);
  const isLeftOut = (path: string): boolean => {
    if (known.has(path)) return leftOut.has(path);
    const nearest = listFoldersAbove(path).findLast((folder) => known.has(folder));
    return nearest !== undefined && !present.has(nearest);
  };
  return [...paths].filter(isLeftOut);
}

interface SparseIndex {
  readonly leftOut: ReadonlySet<string>;
  /** Files and the folders above them. */
  readonly known: ReadonlySet<string>;
  /** Folders with a file that is not left out. */
  readonly present: ReadonlySet<string>;
}

async function readSparseIndex({ gitDirectory }: Repository, git: PrivateGit): Promise<SparseIndex> {
  const indexFile = findReadableIndex(git, join(gitDirectory, "index"));
  const { stdout } = await runGit({
    place: { ...git.place, indexFile },
    arguments: ["ls-files", "-z", "-t", "--cached"],
  });
  const leftOut = new Set<string>();
  const known = new Set<string>();
  const present = new Set<string>();
  for (const entry of splitAtZeros(stdout).map((line) => line.toString("latin1"))) {
    const path = entry.slice(2);
    const isLeftOut = entry.startsWith("S ");
    if (isLeftOut) leftOut.add(path);
    known.add(path);
    for (const folder of listFoldersAbove(path)) {
      known.add(folder);
      if (!isLeftOut) present.add(folder);
    }
  }
  return { leftOut, known, present };
}
