import { join } from "node:path";
import { statSync } from "node:fs";
import { refuseWithoutSpace } from "../../base/free-space.ts";
import {
  copyPrivateIndex,
  type PrivateGit,
  findReadableIndex,
  withPrivateGit,
} from "../git/private-directory.ts";
import { readRefCommit } from "../git/read-head.ts";
import type { ProjectContext, Repository } from "../git/repository.ts";
import { type GitPlace, runGit } from "../git/run-git.ts";
import { readAttributes } from "../merge/attributes.ts";
import { getCheckoutTrees, readTouchedCheckout, type TouchedCheckout } from "./checkout-trees.ts";
import { type ExactBytes, stageExactFiles, storeExactBytes } from "./exact-bytes.ts";
import { releaseIndexLock, replaceIndex, stageIndex, takeIndexLock } from "./index-lock.ts";
import { findIndexLock, inspectCheckout } from "./inspect-checkout.ts";
import { removeMergeIntent, type MergeIntent, writeMergeIntent } from "./intent.ts";
import { applyIndexMarks, type IndexMarks, pickMarks, readIndexMarks } from "./index-marks.ts";
import { type FolderPermissions, readFolders, restoreFolders } from "./kept-folders.ts";
import { updateIndexInfo, formatIndexLine, formatRemovalLine, wholeIndex } from "./mini-index.ts";
import { moveUserBranch } from "./move-branch.ts";
import { applyPermissions, placeFiles, readPermissions, stageMergedFiles } from "./place-files.ts";
import { type MergeRefusal, refuseMerge } from "./refusal.ts";
import { type TreeChange, listAbsentOn, listEntriesOn, reverseChange, readPathStat } from "./touched.ts";
import { popUndoRecord, pushUndoRecord } from "./undo-record.ts";

/** The room for the note, commits, refs and their logs. */
const SPARE_BYTES = 1024 * 1024;

/**
 * Moves the user's checkout and its branch from one commit to another. Everything that can fail happens first; then
 * files, ref and index follow, each in one step. Meanwhile git's own lock on the index keeps other commands out, and
 * a note lets the next call complete the move if we are killed.
 */
export async function moveCheckout(
  context: ProjectContext,
  planned: MergeIntent,
): Promise<MergeRefusal | undefined> {
  const { repository } = context;
  const trees = getCheckoutTrees(planned);
  const touched = await readTouchedCheckout(repository, trees);
  const permissions = planned.permissions ?? readPermissions(repository.workTree, touched.files);
  const folders = planned.folders ?? readOwnFolders(repository, planned, touched.files);
  const { restored } = planned;
  const staging = {
    intent: { ...planned, permissions },
    touched: touched.files,
    to: trees.files.to,
    exact: restored,
  };
  return withStagedFiles(context, staging, async (git, stage) => {
    requireRoom(repository, stage, touched.files);
    const leaving = listAbsentOn(touched.index, "to");
    const marks = planned.marks ?? (await readIndexMarks(repository, git, leaving));
    const replaced = await storeExactBytes(context, planned.from, touched.files);
    const intent = { ...planned, permissions, folders, marks, replaced };
    const refusal = await lockCheckout(context, intent, touched);
    return refusal ?? completeMove(context, { intent, touched, git, stage });
  });
}

/** An undo restores what its merge read. */
function readOwnFolders(
  { workTree }: Repository,
  { direction }: MergeIntent,
  touched: readonly TreeChange[],
): FolderPermissions {
  return direction === "merge" ? readFolders(workTree, touched) : {};
}

/** Notes the move and takes git's lock on the index. If it refuses, nothing has changed. */
async function lockCheckout(
  context: ProjectContext,
  intent: MergeIntent,
  touched: TouchedCheckout,
): Promise<MergeRefusal | undefined> {
  const { repository, stateDirectory } = context;
  try {
    writeMergeIntent(stateDirectory, intent);
    if (!takeIndexLock(repository.gitDirectory, intent.token)) {
      removeMergeIntent(stateDirectory);
      return findIndexLock(context) ?? refuseBusyIndex();
    }
    // The checkout is inspected again, now that no git command can interfere.
    const trees = getCheckoutTrees(intent);
    const refusal = await inspectCheckout(context, { from: intent.from, trees, touched, isLocked: true });
    if (refusal !== undefined) releaseMove(context, intent);
    return refusal;
  } catch (error) {
    releaseMove(context, intent);
    throw error;
  }
}

export interface Completion {
  readonly intent: MergeIntent;
  readonly touched: TouchedCheckout;
  readonly git: PrivateGit;
  readonly stage: string;
}

/**
 * Moves files, ref and index, in this order, while the lock is ours. The new index is written before the ref moves, so
 * that a full disk is met while everything can be taken back. Can be repeated from any point.
 */
export async function completeMove(
  context: ProjectContext,
  { intent, touched, git, stage }: Completion,
): Promise<MergeRefusal | undefined> {
  const { repository } = context;
  try {
    placeFiles(repository.workTree, stage, touched.files);
    if (intent.direction === "undo") restoreFolders(repository.workTree, intent.folders ?? {});
    const index = await buildNewIndex(context, git, { touched: touched.index, marks: intent.marks });
    stageIndex(repository.gitDirectory, index, intent.token);
  } catch (error) {
    // A killed move that had already moved the ref can only go forward.
    const tip = await readRefCommit(repository, intent.branch);
    if (tip !== intent.to) await restoreFiles(context, intent, touched.files);
    throw error;
  }
  const refusal = await moveUserBranch(repository, intent);
  if (refusal !== undefined) {
    await restoreFiles(context, intent, touched.files);
    return refusal;
  }
  replaceIndex(repository.gitDirectory, intent.token);
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
  /** The commit or tree whose files are staged. */
  readonly to: string;
  /** Without it, files are written as git would check them out. */
  readonly exact: ExactBytes | undefined;
}

export function withStagedFiles<Result>(
  context: ProjectContext,
  request: StageRequest,
  use: (git: PrivateGit, stage: string) => Promise<Result>,
): Promise<Result> {
  const { repository, stateDirectory } = context;
  const { intent } = request;
  return withPrivateGit(
    { repository, stateDirectory, workTree: repository.workTree, head: intent.from },
    async (git) => {
      const stage = await stageFiles(context, git, request);
      applyPermissions(stage, intent.permissions ?? {});
      return use(git, stage);
    },
  );
}

async function stageFiles(
  context: ProjectContext,
  git: PrivateGit,
  { intent, touched, to, exact }: StageRequest,
): Promise<string> {
  if (exact === undefined)
    return stageMergedFiles(git, touched, await readAttributes(context.repository, to));
  return stageExactFiles(context, { head: intent.from, directory: git.directory }, { touched, exact });
}

/** Restores the files; the index has not changed yet. */
async function restoreFiles(
  context: ProjectContext,
  intent: MergeIntent,
  touched: readonly TreeChange[],
): Promise<void> {
  const back = touched.map(reverseChange);
  const { from: to } = getCheckoutTrees(intent).files;
  await withStagedFiles(context, { intent, touched: back, to, exact: intent.replaced }, (_, stage) => {
    placeFiles(context.repository.workTree, stage, back);
    if (intent.direction === "merge") restoreFolders(context.repository.workTree, intent.folders ?? {});
    return Promise.resolve();
  });
  releaseMove(context, intent);
}

interface IndexChange {
  readonly touched: readonly TreeChange[];
  /** Marks of entries that the index lacks now. */
  readonly marks: IndexMarks | undefined;
}

/** Makes the user's index with the new touched entries, which keep their marks, and all others unchanged. */
async function buildNewIndex(
  { repository }: ProjectContext,
  git: PrivateGit,
  { touched, marks }: IndexChange,
): Promise<string> {
  const current = join(repository.gitDirectory, "index");
  const entries = listEntriesOn(touched, "to");
  const paths = entries.map(({ path }) => path);
  const kept = await readIndexMarks(repository, git, paths);
  findReadableIndex(git, current);
  const place: GitPlace = { ...git.place, indexFile: copyPrivateIndex(git, current) };
  const zero = "0".repeat(repository.objectFormat === "sha256" ? 64 : 40);
  await updateIndexInfo(place, [
    ...listAbsentOn(touched, "to").map((path) => formatRemovalLine(path, zero)),
    ...entries.map(formatIndexLine),
  ]);
  await runGit({ place, arguments: [...wholeIndex, "update-index", "-q", "--refresh"], accept: [1] });
  await applyIndexMarks(place, { ...pickMarks(marks, paths), ...kept });
  return place.indexFile ?? "";
}

function refuseBusyIndex(): MergeRefusal {
  return refuseMerge("index-locked", {
    message: "A git command was running in your checkout",
    recommendation: "Try again.",
  });
}

/** Refuses a move for which a disk has no room, before any data of the user changes. */
function requireRoom(
  { gitDirectory, workTree }: Repository,
  stage: string,
  touched: readonly TreeChange[],
): void {
  const index = statSync(join(gitDirectory, "index"), { throwIfNoEntry: false })?.size ?? 0;
  // The new index is written twice: in a private folder, and next to the old one.
  refuseWithoutSpace(gitDirectory, 2 * index + SPARE_BYTES);
  // Staged files take no more room if they are only renamed.
  if (statSync(stage).dev === statSync(workTree).dev) return;
  const sizes = listEntriesOn(touched, "to").map(({ path }) => readPathStat(stage, path)?.size ?? 0);
  refuseWithoutSpace(
    workTree,
    sizes.reduce((sum, size) => sum + size, SPARE_BYTES),
  );
}
