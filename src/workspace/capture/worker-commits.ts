import { join } from "node:path";
import { readRegularText } from "../../base/files.ts";
import { isKnownCommit, isKnownWithin } from "../git/ancestry.ts";
import { isObjectId, readCheckoutHead } from "../git/read-head.ts";
import { getRefPlace, type Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import type { SlotRecord } from "../records/record.ts";

export interface MadeCommits {
  /** The commit under the workspace's files, according to the worker's own git. */
  readonly head: string | undefined;
  readonly branchTip: string | undefined;
  readonly savedTip: string | undefined;
  /** Every commit the workspace was ever on, except the base. */
  readonly commits: readonly string[];
}

export interface StartOfWork {
  readonly base: string;
  readonly branchTip: string | undefined;
  /** The tip that an earlier import kept; a later import never gives it up. */
  readonly savedTip?: string | undefined;
}

/** If a worker commits in a loop, only the newest commits are examined; the older ones are their ancestors. */
const MAX_COMMITS = 2000;

/**
 * Finds the commits made in a workspace: on its branch, on no branch, or left by a reset. All come from files a
 * worker can write.
 */
export async function findMadeCommits(
  repository: Repository,
  record: SlotRecord,
  start: StartOfWork,
): Promise<MadeCommits> {
  const { commit: head } = await readCheckoutHead(repository, record.adminDirectory);
  const { branchTip, savedTip } = start;
  const named = [head, branchTip, savedTip, ...readReflog(record)].filter((commit) => commit !== undefined);
  const unknown = [...new Set(named)].filter((commit) => commit !== start.base);
  const commits = unknown.length === 0 ? [] : await listExistingCommits(repository, unknown);
  const known = new Set([start.base, ...commits]);
  const ifKnown = (commit: string | undefined): string | undefined =>
    commit !== undefined && known.has(commit) ? commit : undefined;
  return { head: ifKnown(head), branchTip: ifKnown(branchTip), savedTip: ifKnown(savedTip), commits };
}

/**
 * Chooses the parent of the imported work: the worker's HEAD if it descends from the base, else its branch, else the
 * earlier import, else the base. A history without the base would change the meaning of the merge.
 */
export async function chooseParent(
  repository: Repository,
  made: Omit<MadeCommits, "commits"> & { readonly base: string },
): Promise<string> {
  const { base } = made;
  for (const candidate of [made.head, made.branchTip, made.savedTip])
    if (candidate !== undefined && (await isAncestor(repository, base, candidate))) return candidate;
  return base;
}

/** Returns the commits that neither the tip nor another of them leads to. */
export async function listUnreachable(
  repository: Repository,
  tip: string,
  commits: readonly string[],
): Promise<readonly string[]> {
  const others = commits.filter((commit) => !isKnownWithin(repository, commit, tip));
  if (others.length === 0) return [];
  const { stdout, exitCode } = await runGit({
    place: getRefPlace(repository),
    arguments: ["merge-base", "--independent", tip, ...others],
    accept: [128],
  });
  // A worker can make a history with holes, which cannot be walked; then each commit gets a ref.
  if (exitCode !== 0) return others;
  const independent = stdout.toString("latin1").split("\n");
  return independent.filter((commit) => commit !== "" && commit !== tip);
}

function readReflog(record: SlotRecord): readonly string[] {
  const text = readRegularText(join(record.adminDirectory, "logs", "HEAD")) ?? "";
  return text
    .split("\n")
    .slice(-MAX_COMMITS)
    .map((line) => line.split(" ", 2)[1] ?? "")
    .filter(isObjectId);
}

async function isAncestor(repository: Repository, ancestor: string, commit: string): Promise<boolean> {
  if (isKnownWithin(repository, ancestor, commit)) return true;
  const { exitCode } = await runGit({
    place: getRefPlace(repository),
    arguments: ["merge-base", "--is-ancestor", ancestor, commit],
    accept: [1, 128],
  });
  return exitCode === 0;
}

/** Returns the ids that are commits in the user's repository. */
export async function listExistingCommits(
  repository: Repository,
  ids: readonly string[],
): Promise<readonly string[]> {
  const doubtful = ids.filter((id) => !isKnownCommit(repository, id));
  const ours = ids.filter((id) => isKnownCommit(repository, id));
  if (doubtful.length === 0) return ours;
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
    stdin: doubtful.map((id) => `${id}\n`).join(""),
  });
  const lines = stdout.toString("latin1").split("\n");
  const found = lines
    .filter((line) => line.endsWith(" commit"))
    .map((line) => line.slice(0, line.indexOf(" ")));
  return [...ours, ...found];
}
