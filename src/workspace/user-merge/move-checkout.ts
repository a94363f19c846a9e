import { join } from "node:path";
import {
  copyPrivateIndex,
  type PrivateGit,
  findReadableIndex,
  withPrivateGit,
} from "../git/private-directory.ts";
import type { ProjectContext } from "../git/repository.ts";
import { type GitPlace, runGit } from "../git/run-git.ts";
import { readAttributes } from "../merge/attributes.ts";
import { releaseIndexLock, replaceIndex, takeIndexLock } from "./index-lock.ts";
import { findIndexLock, inspectCheckout } from "./inspect-checkout.ts";
import { removeMergeIntent, type MergeIntent, writeMergeIntent } from "./intent.ts";
import { updateIndexInfo, formatIndexLine, formatRemovalLine, wholeIndex } from "./mini-index.ts";
import { moveUserBranch } from "./move-branch.ts";
import { placeFiles, stageMergedFiles } from "./place-files.ts";
import { type MergeRefusal, refuseMerge } from "./refusal.ts";
import { type TreeChange, listAbsentOn, listEntriesOn, readTouchedPaths } from "./touched.ts";
import { popUndoRecord, pushUndoRecord } from "./undo-record.ts";

/**
 * Moves the user's checkout and its branch from one commit to another. Everything that can fail happens first; then
 * files, ref and index follow, each in one step. Meanwhile git's own lock on the index keeps other commands out, and
 * a note lets the next call complete the move if we are killed.
 */
export async function moveCheckout(
  context: ProjectContext,
  intent: MergeIntent,
): Promise<MergeRefusal | undefined> {
  const { repository, stateDirectory } = context;
  const { from, to, token } = intent;
  const touched = await readTouchedPaths(repository, from, to);
  return withStagedFiles(context, { intent, touched, to }, async (git, stage) => {
    writeMergeIntent(stateDirectory, intent);
    if (!takeIndexLock(repository.gitDirectory, token)) {
      removeMergeIntent(stateDirectory);
      return findIndexLock(context) ?? refuseBusyIndex();
    }
    // Checked again, now that no git command can interfere.
    const refusal = await inspectCheckout(context, { from, to, touched, isLocked: true });
    if (refusal === undefined) return completeMove(context, { intent, touched, git, stage });
    releaseMove(context, intent);
    return refusal;
  });
}

export interface Completion {
  readonly intent: MergeIntent;
  readonly touched: readonly TreeChange[];
  readonly git: PrivateGit;
  readonly stage: string;
}

/** Moves files, ref and index, in this order, while the lock is ours. Can be repeated from any point. */
export async function completeMove(
  context: ProjectContext,
  { intent, touched, git, stage }: Completion,
): Promise<MergeRefusal | undefined> {
  const { repository } = context;
  try {
    placeFiles(repository.workTree, stage, touched);
  } catch (error) {
    await restoreFiles(context, intent, touched);
    throw error;
  }
  const refusal = await moveUserBranch(repository, intent);
  if (refusal !== undefined) {
    await restoreFiles(context, intent, touched);
    return refusal;
  }
  const index = await buildNewIndex(context, git, touched);
  replaceIndex(repository.gitDirectory, index, intent.token);
  await recordMoveDone(context, intent);
  releaseMove(context, intent);
  return undefined;
}

export async function recordMoveDone({ repository }: ProjectContext, intent: MergeIntent): Promise<void> {
  if (intent.direction === "merge") await pushUndoRecord(repository, intent);
  else await popUndoRecord(repository, intent.story, intent);
}

/** The lock comes first; without it the note has no effect. */
export function releaseMove({ repository, stateDirectory }: ProjectContext, intent: MergeIntent): void {
  releaseIndexLock(repository.gitDirectory, intent.token);
  removeMergeIntent(stateDirectory);
}

export interface StageRequest {
  readonly intent: MergeIntent;
  readonly touched: readonly TreeChange[];
  /** The commit whose files are staged. */
  readonly to: string;
}

export function withStagedFiles<Result>(
  context: ProjectContext,
  { intent, touched, to }: StageRequest,
  use: (git: PrivateGit, stage: string) => Promise<Result>,
): Promise<Result> {
  const { repository, stateDirectory } = context;
  return withPrivateGit(
    { repository, stateDirectory, workTree: repository.workTree, head: intent.from },
    async (git) => use(git, await stageMergedFiles(git, touched, await readAttributes(repository, to))),
  );
}

/** Restores the files; the index has not changed yet. */
async function restoreFiles(
  context: ProjectContext,
  intent: MergeIntent,
  touched: readonly TreeChange[],
): Promise<void> {
  const back = touched.map(reverseChange);
  await withStagedFiles(context, { intent, touched: back, to: intent.from }, (_, stage) => {
    placeFiles(context.repository.workTree, stage, back);
    return Promise.resolve();
  });
  releaseMove(context, intent);
}

function reverseChange(change: TreeChange): TreeChange {
  const kinds = { added: "removed", removed: "added", changed: "changed" } as const;
  const { path, kind, oldMode, newMode, oldId, newId } = change;
  return { path, kind: kinds[kind], oldMode: newMode, newMode: oldMode, oldId: newId, newId: oldId };
}

/** Makes the user's index with the new touched entries and all others unchanged. */
async function buildNewIndex(
  { repository }: ProjectContext,
  git: PrivateGit,
  touched: readonly TreeChange[],
): Promise<string> {
  const current = join(repository.gitDirectory, "index");
  findReadableIndex(git, current);
  const place: GitPlace = { ...git.place, indexFile: copyPrivateIndex(git, current) };
  const zero = "0".repeat(repository.objectFormat === "sha256" ? 64 : 40);
  await updateIndexInfo(place, [
    ...listAbsentOn(touched, "to").map((path) => formatRemovalLine(path, zero)),
    ...listEntriesOn(touched, "to").map(formatIndexLine),
  ]);
  await runGit({ place, arguments: [...wholeIndex, "update-index", "-q", "--refresh"], accept: [1] });
  return place.indexFile ?? "";
}

function refuseBusyIndex(): MergeRefusal {
  return refuseMerge("index-locked", {
    message: "A git command was running in your checkout",
    recommendation: "Try again.",
  });
}
