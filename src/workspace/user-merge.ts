import { systemClock } from "../base/clock.ts";
import { workspaceErrors } from "../errors/workspace.ts";
import { randomBase36 } from "../base/ids.ts";
import { storyBranchName } from "./branch-names.ts";
import { withFileLock } from "./files/with-lock.ts";
import type { ProjectContext } from "./git/repository.ts";
import { readSettings } from "./git/settings.ts";
import type { MergeNote } from "./merge.ts";
import { createCommitObject } from "./merge/create-commit-object.ts";
import { type Diff, readDiff } from "./show-diff.ts";
import {
  type CheckoutTrees,
  getCheckoutTrees,
  readTouchedCheckout,
  reverseTrees,
} from "./user-merge/checkout-trees.ts";
import { finishMove } from "./user-merge/finish-move.ts";
import { inspectCheckout } from "./user-merge/inspect-checkout.ts";
import { type MergeIntent, readMergeIntent, writeMergeIntent } from "./user-merge/intent.ts";
import { refuseLateUndo, moveUserBranch } from "./user-merge/move-branch.ts";
import { releaseMove, moveCheckout, recordMoveDone } from "./user-merge/move-checkout.ts";
import {
  findMergeTarget,
  type MergePlan,
  type MergeRequest,
  type MergeWay,
  planUserMerge,
} from "./user-merge/plan-merge.ts";
import { type MergeRefusal, refuseMerge } from "./user-merge/refusal.ts";
import { createSignedCommit, type Environment } from "./user-merge/sign-commit.ts";
import { readTouchedPaths, showLatin1Path } from "./user-merge/touched.ts";
import { readUndoRecord } from "./user-merge/undo-record.ts";

export type { MergeRequest, MergeWay } from "./user-merge/plan-merge.ts";
export type { MergeRefusal } from "./user-merge/refusal.ts";

export type MergePreview =
  | {
      readonly status: "ready";
      readonly way: MergeWay;
      /** `refs/heads/…` */
      readonly branch: string;
      readonly from: string;
      readonly tip: string;
      /** The checked-out files move with it. */
      readonly isCheckedOut: boolean;
      readonly diff: Diff;
      /** Files of the merge in which the user has uncommitted edits; both are kept, and the edits stay uncommitted. */
      readonly edited: readonly string[];
    }
  | { readonly status: "already-merged"; readonly branch: string; readonly from: string }
  | {
      readonly status: "conflict";
      readonly branch: string;
      readonly files: readonly string[];
      readonly notes: readonly MergeNote[];
      /** The commit after which the story's own changes begin, if a plain `git merge` would bring more than those. */
      readonly replayBase: string | undefined;
    }
  /** A merge or an undo was killed; `applyMerge` or `undoMerge` completes it first. */
  | { readonly status: "unfinished"; readonly story: string; readonly branch: string }
  | MergeRefusal;

/** Previews what `applyMerge` would do to the user's branch, index and files, and changes none of them. */
export async function previewMerge(context: ProjectContext, request: MergeRequest): Promise<MergePreview> {
  const unfinished = readMergeIntent(context.stateDirectory);
  if (unfinished !== undefined)
    return { status: "unfinished", story: unfinished.story, branch: unfinished.branch };
  const plan = await planUserMerge(context, request);
  if (plan.status !== "ready") return plan;
  const { branch, from, isCheckedOut, way, tip, tree, edits } = plan;
  const edited = edits === undefined ? [] : await listEditedFiles(context, { from, edits });
  const diff = await readDiff(context.repository, { from, to: tree, kind: "stat" });
  return { status: "ready", way, branch, from, tip, isCheckedOut, diff, edited };
}

async function listEditedFiles(
  { repository }: ProjectContext,
  { from, edits }: { readonly from: string; readonly edits: CheckoutTrees },
): Promise<readonly string[]> {
  const { index, files } = await readTouchedCheckout(repository, edits);
  const touched = new Set([...index, ...files].map(({ path }) => path));
  const own = [
    ...(await readTouchedPaths(repository, from, edits.index.from)),
    ...(await readTouchedPaths(repository, from, edits.files.from)),
  ];
  const edited = own.map(({ path }) => path).filter((path) => touched.has(path));
  return [...new Set(edited)].map(showLatin1Path).sort();
}

export interface ApplyRequest extends MergeRequest {
  /** Message of the merge or squash commit. */
  readonly message?: string;
  /** The variables of a person who wants the new commit signed; a fast-forward makes no commit to sign. */
  readonly signing?: Environment;
  readonly timeSeconds?: number;
}

export type MergeApplied =
  | {
      readonly status: "merged";
      readonly way: MergeWay;
      readonly branch: string;
      readonly from: string;
      readonly to: string;
    }
  | Exclude<MergePreview, { readonly status: "ready" | "unfinished" }>;

/**
 * Merges a story into the user's branch: nothing else ever moves that branch. If it is checked out here, index and files
 * move with it. Uncommitted edits of the user stay, uncommitted; if both change the same lines, the whole merge is
 * refused. If it is killed at any moment, it has happened, or has not, or the next call completes it.
 */
export function applyMerge(context: ProjectContext, request: ApplyRequest): Promise<MergeApplied> {
  return runExclusively(context, async () => {
    const finished = await finishMove(context);
    if (finished.status === "refused") return finished;
    if (finished.status === "finished" && isSameMerge(finished.intent, request))
      return describeMerged(finished.intent);
    const plan = await planUserMerge(context, request);
    if (plan.status !== "ready") return plan;
    const intent = await createIntent(context, request, plan);
    const refusal = await moveBranchAndFiles(context, intent);
    return refusal ?? describeMerged(intent);
  });
}

export type MergeUndone =
  | { readonly status: "undone"; readonly branch: string; readonly from: string; readonly to: string }
  | MergeRefusal;

/**
 * Reverts the newest merge of a story: branch, index and files return to their previous state. Refuses if the branch
 * has moved on or one of the files has changed since.
 */
export function undoMerge(
  context: ProjectContext,
  { story }: { readonly story: string },
): Promise<MergeUndone> {
  return runExclusively(context, async () => {
    const finished = await finishMove(context);
    if (finished.status === "refused") return finished;
    if (finished.status === "finished" && isSameUndo(finished.intent, story))
      return describeUndo(finished.intent);
    const { repository } = context;
    const last = await readUndoRecord(repository, story);
    if (last === undefined) return nothingToUndo(story);
    const { branch, from, to, way, edits, permissions, folders, marks, replaced } = last.record;
    const target = await findMergeTarget(repository, branch);
    if ("status" in target) return target;
    if (target.from !== to) return refuseLateUndo(last.record);
    const own = {
      edits: edits === undefined ? undefined : reverseTrees(edits),
      permissions,
      folders,
      marks,
      restored: replaced,
    };
    const intent = buildIntent(context, {
      story,
      branch,
      way,
      direction: "undo",
      from: to,
      to: from,
      ...own,
    });
    const refusal = await moveBranchAndFiles(
      context,
      target.isCheckedOut ? intent : { ...intent, checkout: null },
    );
    return refusal ?? describeUndo(intent);
  });
}

/** An error that leaves a move half done names the command that completes it. */
async function runExclusively<Result>(
  { stateDirectory }: ProjectContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withFileLock(`${stateDirectory}/user-merge.lock`, work);
  } catch (error) {
    const unfinished = findUnfinishedMerge(stateDirectory);
    throw unfinished === undefined
      ? error
      : workspaceErrors.mergeInterrupted({ ...unfinished, cause: error });
  }
}

/** Creates the new commit of the branch; nothing refers to it yet. */
async function createIntent(
  context: ProjectContext,
  request: ApplyRequest,
  plan: Extract<MergePlan, { readonly status: "ready" }>,
): Promise<MergeIntent> {
  const { branch, from, tip, way, isCheckedOut, edits } = plan;
  const timeSeconds = request.timeSeconds ?? Math.floor(systemClock.wallMs() / 1000);
  const to = way === "fast-forward" ? tip : await createNewCommit(context, { ...request, timeSeconds }, plan);
  const { story } = request;
  const intent = buildIntent(context, { story, branch, way, direction: "merge", from, to, tip, edits });
  return { ...intent, timeSeconds, ...(isCheckedOut ? {} : { checkout: null }) };
}

async function createNewCommit(
  { repository }: ProjectContext,
  { story, message, signing, timeSeconds }: ApplyRequest & { readonly timeSeconds: number },
  { tree, from, tip, way }: Extract<MergePlan, { readonly status: "ready" }>,
): Promise<string> {
  const commit = {
    tree,
    parents: way === "squash" ? [from] : [from, tip],
    message: message ?? `Merge ${storyBranchName(story)}\n`,
  };
  if (signing !== undefined) return createSignedCommit(repository, commit, signing);
  const { userName: name, userEmail: email } = await readSettings(repository);
  const author = name && email ? { author: { name, email } } : {};
  return createCommitObject(repository, { ...commit, timeSeconds, ...author });
}

function buildIntent(
  { repository }: ProjectContext,
  facts: Omit<MergeIntent, "checkout" | "timeSeconds" | "token" | "version">,
): MergeIntent {
  const { workTree, gitDirectory } = repository;
  const timeSeconds = Math.floor(systemClock.wallMs() / 1000);
  return { version: 1, ...facts, checkout: { workTree, gitDirectory }, token: randomBase36(16), timeSeconds };
}

/** A move of a user's branch that was interrupted, and the command that completes it. */
export interface UnfinishedMerge {
  readonly what: string;
  readonly command: string;
}

export function findUnfinishedMerge(stateDirectory: string): UnfinishedMerge | undefined {
  const intent = readMergeIntent(stateDirectory);
  if (intent === undefined) return undefined;
  const { story, direction } = intent;
  const branch = intent.branch.replace(/^refs\/heads\//, "");
  return direction === "merge"
    ? { what: `The merge of ${story} into ${branch}`, command: `ambit merge ${story} --yes` }
    : { what: `Undoing the merge of ${story} in ${branch}`, command: `ambit merge ${story} --undo --yes` };
}

async function moveBranchAndFiles(
  context: ProjectContext,
  intent: MergeIntent,
): Promise<MergeRefusal | undefined> {
  const { repository, stateDirectory } = context;
  const { from } = intent;
  if (intent.checkout !== null) {
    const trees = getCheckoutTrees(intent);
    const touched = await readTouchedCheckout(repository, trees);
    return (await inspectCheckout(context, { from, trees, touched })) ?? moveCheckout(context, intent);
  }
  writeMergeIntent(stateDirectory, intent);
  const refusal = await moveUserBranch(repository, intent);
  if (refusal === undefined) await recordMoveDone(context, intent);
  releaseMove(context, intent);
  return refusal;
}

function isSameMerge(intent: MergeIntent, { story }: ApplyRequest): boolean {
  return intent.direction === "merge" && intent.story === story;
}

function isSameUndo(intent: MergeIntent, story: string): boolean {
  return intent.direction === "undo" && intent.story === story;
}

function describeMerged({ way, branch, from, to }: MergeIntent): MergeApplied {
  return { status: "merged", way, branch, from, to };
}

function describeUndo({ branch, from, to }: MergeIntent): MergeUndone {
  return { status: "undone", branch, from, to };
}

function nothingToUndo(story: string): MergeRefusal {
  return refuseMerge("nothing-to-undo", {
    message: `No merge of ${story} into one of your branches is recorded`,
    recommendation: "`git reflog` shows where your branch was.",
  });
}
