import type { PrivateGit } from "../git/private-directory.ts";
import { readGitLine, runGit, splitAtZeros } from "../git/run-git.ts";
import type { StatusEntry } from "../git/status.ts";
import { findLfsFiles, stageLfsFiles } from "./lfs-files.ts";

export interface CommittedWork {
  /** The work tree has the files of `tip`. */
  readonly git: PrivateGit;
  readonly base: string;
  readonly tip: string;
  readonly lfsDirectory: string;
}

/**
 * A worker's own git runs no filter, so its commits may hold the content of files behind Git LFS. Returns a tree with
 * pointers in their place, and undefined if the commits hold none.
 */
export async function buildCleanTree({
  git,
  base,
  tip,
  lfsDirectory,
}: CommittedWork): Promise<string | undefined> {
  const { stdout } = await runGit({
    place: git.place,
    arguments: ["diff-tree", "-r", "-z", "--no-renames", "--name-only", "--diff-filter=d", base, tip],
  });
  const files = await findLfsFiles(git, splitAtZeros(stdout).map(toEntry));
  const raw = files.filter(({ isInHead }) => !isInHead);
  if (raw.length === 0) return undefined;
  await runGit({ place: git.place, arguments: ["read-tree", tip] });
  await stageLfsFiles(git, lfsDirectory, raw);
  const tree = await readGitLine({ place: git.place, arguments: ["write-tree", "--missing-ok"] });
  return tree;
}

function toEntry(path: Buffer): StatusEntry {
  return { kind: "changed", isStaged: false, isIndexChanged: false, isRemoved: false, path };
}
