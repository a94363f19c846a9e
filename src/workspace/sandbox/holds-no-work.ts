import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRegularText } from "../../base/files.ts";
import { isStillRunning } from "../../containment/process-identity.ts";
import { findUnreachable } from "../capture/reachable.ts";
import { listUnsavedFiles } from "../capture/unsaved-files.ts";
import { listExistingCommits } from "../capture/worker-commits.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { searchWhole } from "../git/put-aside.ts";
import { readRefCommit } from "../git/read-head.ts";
import { baseRefName, workRefName } from "../git/ref-names.ts";
import type { Repository } from "../git/repository.ts";
import { type SandboxFolders, sandboxFolders } from "./folders.ts";
import { listNamedObjects } from "./named-commits.ts";
import { readSandboxRecord } from "./record.ts";

interface Context {
  readonly repository: Repository;
  readonly stateDirectory: string;
}

/**
 * Whether a sandbox can be removed: no worker ever had it, or its owner is gone and our refs keep everything made in
 * it. In doubt it counts as work.
 */
export async function holdsNoWork(context: Context, id: string): Promise<boolean> {
  const folders = sandboxFolders(context.stateDirectory, id);
  const record = readSandboxRecord(folders);
  if (record !== undefined && isStillRunning(record.madeBy)) return false;
  if (record?.isReady === false || isFolderEmpty(folders.root)) return true;
  const base = record?.base ?? (await readRefCommit(context.repository, baseRefName(id)));
  if (base === undefined) return false;
  return (
    (await areCommitsKept(context, folders, { id, base })) && areFilesKept(context, folders, { id, base })
  );
}

interface Start {
  readonly id: string;
  readonly base: string;
}

async function areCommitsKept(
  { repository }: Context,
  folders: SandboxFolders,
  { id, base }: Start,
): Promise<boolean> {
  const named = listNamedObjects(join(folders.clone, ".git"));
  if (named === undefined) return false;
  const others = [...named].filter((commit) => commit !== base);
  const known = others.length === 0 ? [] : await listExistingCommits(repository, others);
  // A commit missing from the user's repository was never handed over.
  return known.length === others.length && (await findUnreachable(repository, id, known)) === undefined;
}

async function areFilesKept(
  context: Context,
  folders: SandboxFolders,
  { id, base }: Start,
): Promise<boolean> {
  if (lstatSync(folders.clone, { throwIfNoEntry: false })?.isDirectory() !== true) return true;
  const head = (await readRefCommit(context.repository, workRefName(id))) ?? base;
  const alsoIgnored = (readRegularText(folders.ignores) ?? "").split("\n").filter((line) => line !== "");
  const unsaved = await withPrivateGit(
    { ...context, workTree: folders.clone, written: searchWhole(folders.clone), head, alsoIgnored },
    (git) => listUnsavedFiles(git, folders.index),
  );
  return unsaved.length === 0;
}

function isFolderEmpty(folder: string): boolean {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && readdirSync(folder).length === 0;
}
