import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRegularText } from "../../base/files.ts";
import { findUnreachable } from "../capture/reachable.ts";
import { listUnsavedFiles } from "../capture/unsaved-files.ts";
import { listExistingCommits } from "../capture/worker-commits.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { searchWhole } from "../git/put-aside.ts";
import { readRefCommit, isObjectId } from "../git/read-head.ts";
import { workRefName } from "../git/ref-names.ts";
import type { ProjectContext } from "../git/repository.ts";
import type { SandboxFolders } from "./folders.ts";

export interface SandboxStart {
  readonly id: string;
  readonly base: string;
}

/** A repository with more files than this next to its objects was made to be slow. */
const MAX_FILES = 20_000;

/** The files in which git names commits: HEAD, branches, tags, the stash, and their earlier values. */
const places = ["HEAD", "ORIG_HEAD", "FETCH_HEAD", "packed-refs", "refs", "logs", "worktrees"] as const;

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

/**
 * Lists every object that a git directory names, read as plain text; undefined if it cannot be read with certainty. A
 * worker can have written anything there, so nothing is run and no link is followed.
 */
function listNamedObjects(gitDirectory: string): ReadonlySet<string> | undefined {
  const stats = lstatSync(gitDirectory, { throwIfNoEntry: false });
  if (stats === undefined) return new Set();
  if (!stats.isDirectory()) return undefined;
  const waiting = places.map((name) => join(gitDirectory, name));
  const found = new Set<string>();
  for (let count = 0; waiting.length > 0; count += 1) {
    const path = waiting.pop() ?? "";
    const entry = lstatSync(path, { throwIfNoEntry: false });
    const text = entry?.isFile() === true ? readRegularText(path) : "";
    const isUnclear = entry !== undefined && !entry.isFile() && !entry.isDirectory();
    if (count > MAX_FILES || text === undefined || isUnclear) return undefined;
    if (entry?.isDirectory() === true) waiting.push(...readdirSync(path).map((name) => join(path, name)));
    for (const word of text.split(/[ \t\n]/)) if (isObjectId(word) && !/^0+$/.test(word)) found.add(word);
  }
  return found;
}
