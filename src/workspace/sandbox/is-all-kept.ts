import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readRegularText } from "../../base/files.ts";
import { findUnreachable } from "../capture/reachable.ts";
import { listUnsavedFiles } from "../capture/unsaved-files.ts";
import { listExistingCommits } from "../capture/worker-commits.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { searchWhole } from "../git/put-aside.ts";
import { readRefCommit } from "../git/read-head.ts";
import { workRefName } from "../git/ref-names.ts";
import type { ProjectContext } from "../git/repository.ts";
import type { SandboxFolders } from "./folders.ts";
import { listNamedObjects } from "./named-commits.ts";

export interface SandboxStart {
  readonly id: string;
  readonly base: string;
}

/** Whether our refs keep every commit that a clone names. In doubt the answer is no. */
export async function areCommitsKept(
  { repository }: ProjectContext,
  folders: SandboxFolders,
  { id, base }: SandboxStart,
): Promise<boolean> {
  const named = listNamedObjects(join(folders.clone, ".git"));
  if (named === undefined) return false;
  const others = [...named].filter((commit) => commit !== base);
  const known = others.length === 0 ? [] : await listExistingCommits(repository, others);
  // A commit missing from the user's repository was never handed over.
  return known.length === others.length && (await findUnreachable(repository, id, known)) === undefined;
}

/** Lists files of a clone that differ from the newest kept commit. */
export async function listUnkeptFiles(
  context: ProjectContext,
  folders: SandboxFolders,
  { id, base }: SandboxStart,
): Promise<readonly Buffer[]> {
  if (lstatSync(folders.clone, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const { repository, stateDirectory } = context;
  const head = (await readRefCommit(repository, workRefName(id))) ?? base;
  const alsoIgnored = readIgnoreRules(folders);
  return withPrivateGit(
    {
      repository,
      stateDirectory,
      workTree: folders.clone,
      written: searchWhole(folders.clone),
      head,
      alsoIgnored,
    },
    (git) => listUnsavedFiles(git, folders.index),
  );
}

/** Rules for files that were brought into the clone. */
export function readIgnoreRules(folders: SandboxFolders): readonly string[] {
  return (readRegularText(folders.ignores) ?? "").split("\n").filter((line) => line !== "");
}
