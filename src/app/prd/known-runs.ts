import type { UserStory } from "../../contract/story.ts";
import type { Delegation, StoreReader } from "../../journal/store.ts";
import { storyRefName } from "../../workspace/branch-names.ts";
import { findMergedStories } from "../project/merged-stories.ts";
import { isMerged } from "../../workspace/merge.ts";
import { readBranchCommit, readHeadCommit } from "../../workspace/look-up.ts";
import { listStoryBranches } from "../../workspace/story-branches.ts";
import type { Repository } from "../../workspace/repository.ts";

/** The runs of one story of a file that the journal knows. */
export interface KnownRuns {
  /** The run that completed it, the newest one. */
  readonly completed: Delegation | undefined;
  /** A run that has not ended. */
  readonly open: Delegation | undefined;
  /** An id that no run has yet. */
  readonly freeId: string;
}

const MAX_RUNS = 1000;

/**
 * Whether a run did a story of a file. A story that was completed without a check is done, too, unless its criteria were
 * added since: then a check can prove it.
 */
export function isDone(run: Delegation, { acceptanceCriteria }: UserStory): boolean {
  if (isProven(run) || acceptanceCriteria.length === 0) return true;
  return run.work?.criteria.some(({ required }) => required) === true;
}

/** Only then does the file say that its story passes: a worker's word is not enough (R79). */
export function isProven({ proof }: Delegation): boolean {
  return proof !== "unchecked";
}

/**
 * A story that is run again is `US-1.2`. Files of one project often use the same ids, so the title decides whether a run
 * was of this very story.
 */
export async function readKnownRuns(
  reader: StoreReader | undefined,
  { id, title }: UserStory,
): Promise<KnownRuns> {
  let completed: Delegation | undefined;
  let open: Delegation | undefined;
  for (let number = 1; number < MAX_RUNS; number += 1) {
    const name = number === 1 ? id : `${id}.${number}`;
    const root = await reader?.delegation(name);
    if (root === undefined) return { completed, open, freeId: name };
    if (root.description !== title) continue;
    if (root.outcome === "completed") completed = root;
    if (root.state !== "closed") open = root;
  }
  return { completed, open, freeId: `${id}.${MAX_RUNS}` };
}

/** Proven work on which the next story of a file builds. */
export interface ProvenTip {
  /** The run that it comes from; its branch holds the work of all before it. */
  readonly run: string;
  readonly commit: string;
  /** Workers in a sandbox wrote some of it, so it is checked in a sandbox only. */
  readonly holdsSandboxedWork: boolean;
}

/**
 * The work of a run that changed something; undefined where there is none, or where the person has merged it, alone or
 * with that of one of the `others` that started from it.
 */
export async function findProvenTip(
  repository: Repository,
  reader: StoreReader | undefined,
  { run, others }: { readonly run: string; readonly others: readonly string[] },
): Promise<ProvenTip | undefined> {
  const commit = await readBranchCommit(repository, storyRefName(run));
  if (commit === null) return undefined;
  const branches = listStoryBranches(repository.commonDirectory);
  const isTaken = (await findMergedStories(reader, branches, [run, ...others])).has(run);
  const head = await readHeadCommit(repository);
  if (isTaken || (head !== null && (await isMerged(repository, { tip: commit, into: head }))))
    return undefined;
  return { run, commit, holdsSandboxedWork: (await reader?.hasSandboxedWork(run)) === true };
}
