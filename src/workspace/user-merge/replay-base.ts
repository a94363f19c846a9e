import { basename } from "node:path";
import { isAncestor } from "../git/ancestry.ts";
import { SNAPSHOT_REFS } from "../git/ref-names.ts";
import { listRefs, type NamedRef } from "../git/refs.ts";
import { getRefPlace, type Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { readUndoRecord } from "./undo-record.ts";

export interface ReplayQuestion {
  readonly story: string;
  /** `refs/heads/…` */
  readonly branch: string;
  readonly from: string;
  readonly tip: string;
}

/**
 * Finds the commit after which a story's own changes begin, if a plain merge would bring more than those: the user's
 * uncommitted work that the story started from, or a part of the story that was squashed into the branch before.
 * Undefined if history alone separates the story's changes.
 */
export async function findReplayBase(
  repository: Repository,
  question: ReplayQuestion,
): Promise<string | undefined> {
  return (await findSquashedTip(repository, question)) ?? findUserSnapshot(repository, question);
}

async function findSquashedTip(
  repository: Repository,
  { story, branch, from, tip }: ReplayQuestion,
): Promise<string | undefined> {
  const last = (await readUndoRecord(repository, story))?.record;
  if (last?.tip === undefined || last.way !== "squash" || last.branch !== branch) return undefined;
  const isStillThere = await isAncestor(repository, last.to, from);
  return isStillThere && (await isAncestor(repository, last.tip, tip)) ? last.tip : undefined;
}

/** Finds the newest snapshot in the story's history that the user's branch does not have. */
async function findUserSnapshot(
  repository: Repository,
  { from, tip }: ReplayQuestion,
): Promise<string | undefined> {
  const snapshots = await listRefs(repository, [SNAPSHOT_REFS]);
  if (snapshots.length === 0) return undefined;
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["rev-list", tip, `^${from}`],
  });
  // After the clock was set back, this lists more than there is, while for-each-ref with --merged finds too little.
  const ahead = new Set(stdout.toString("latin1").split("\n"));
  const taken = ({ ref }: NamedRef): string => basename(ref);
  const candidates = snapshots
    .filter(({ commit }) => ahead.has(commit))
    .toSorted((one, other) => (taken(one) < taken(other) ? 1 : -1));
  for (const { commit } of candidates) if (!(await isAncestor(repository, commit, from))) return commit;
  return undefined;
}
