import { lstatSync, readdirSync } from "node:fs";
import { isStillRunning } from "../../containment/process-identity.ts";
import { readRefCommit } from "../git/read-head.ts";
import { baseRefName } from "../git/ref-names.ts";
import type { ProjectContext } from "../git/repository.ts";
import { sandboxFolders } from "./folders.ts";
import { areCommitsKept, listUnkeptFiles } from "./is-all-kept.ts";
import { readSandboxRecord } from "./record.ts";

/**
 * Whether a sandbox can be removed: no worker ever had it, or its owner is gone and our refs keep everything made in it.
 * In doubt it counts as work.
 */
export async function holdsNoWork(context: ProjectContext, id: string): Promise<boolean> {
  const folders = sandboxFolders(context.stateDirectory, id);
  const record = readSandboxRecord(folders);
  if (record !== undefined && isStillRunning(record.madeBy)) return false;
  if (record?.isReady === false || isFolderEmpty(folders.root)) return true;
  const base = record?.base ?? (await readRefCommit(context.repository, baseRefName(id)));
  if (base === undefined) return false;
  if (!(await areCommitsKept(context, folders, { id, base }))) return false;
  return (await listUnkeptFiles(context, folders, { id, base })).length === 0;
}

function isFolderEmpty(folder: string): boolean {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && readdirSync(folder).length === 0;
}
