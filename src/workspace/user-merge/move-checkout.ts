import { join } from "node:path";
import { copyIndex, type PrivateGit, readableIndex, withPrivateGit } from "../git/private-directory.ts";
import type { ProjectContext } from "../git/repository.ts";
import { type GitPlace, runGit } from "../git/run-git.ts";
import { readAttributes } from "../merge/attributes.ts";
import { dropIndexLock, replaceIndex, takeIndexLock } from "./index-lock.ts";
import { findLock, inspectCheckout } from "./inspect-checkout.ts";
import { dropIntent, type MergeIntent, writeIntent } from "./intent.ts";
import { changeIndex, indexLine, removalLine, wholeIndex } from "./mini-index.ts";
import { moveUserBranch } from "./move-branch.ts";
import { placeFiles, stageFiles } from "./place-files.ts";
import { type MergeRefusal, refuse } from "./refusal.ts";
import { type TreeChange, absentOn, entriesOn, readTouched } from "./touched.ts";
import { popUndo, pushUndo } from "./undo-record.ts";

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
  const touched = await readTouched(repository, from, to);
  return withStage(context, { intent, touched, to }, async (git, stage) => {
    writeIntent(stateDirectory, intent);
    if (!takeIndexLock(repository.gitDirectory, token)) {
      dropIntent(stateDirectory);
      return findLock(context) ?? lockVanished();
    }
    // Checked again, now that no git command can interfere.
    const refusal = await inspectCheckout(context, { from, to, touched, isLocked: true });
    if (refusal === undefined) return complete(context, { intent, touched, git, stage });
    letGo(context, intent);
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
export async function complete(
  context: ProjectContext,
  { intent, touched, git, stage }: Completion,
): Promise<MergeRefusal | undefined> {
  const { repository } = context;
  try {
    placeFiles(repository.workTree, stage, touched);
  } catch (error) {
    await putBack(context, intent, touched);
    throw error;
  }
  const refusal = await moveUserBranch(repository, intent);
  if (refusal !== undefined) {
    await putBack(context, intent, touched);
    return refusal;
  }
  const index = await makeIndex(context, git, touched);
  replaceIndex(repository.gitDirectory, index, intent.token);
  await noteDone(context, intent);
  letGo(context, intent);
  return undefined;
}

export async function noteDone({ repository }: ProjectContext, intent: MergeIntent): Promise<void> {
  if (intent.direction === "merge") await pushUndo(repository, intent);
  else await popUndo(repository, intent.story, intent);
}

/** The lock comes first; without it the note has no effect. */
export function letGo({ repository, stateDirectory }: ProjectContext, intent: MergeIntent): void {
  dropIndexLock(repository.gitDirectory, intent.token);
  dropIntent(stateDirectory);
}

export interface StageRequest {
  readonly intent: MergeIntent;
  readonly touched: readonly TreeChange[];
  /** The commit whose files are staged. */
  readonly to: string;
}

export function withStage<Result>(
  context: ProjectContext,
  { intent, touched, to }: StageRequest,
  use: (git: PrivateGit, stage: string) => Promise<Result>,
): Promise<Result> {
  const { repository, stateDirectory } = context;
  return withPrivateGit(
    { repository, stateDirectory, workTree: repository.workTree, head: intent.from },
    async (git) => use(git, await stageFiles(git, touched, await readAttributes(repository, to))),
  );
}

/** Restores the files; the index has not changed yet. */
async function putBack(
  context: ProjectContext,
  intent: MergeIntent,
  touched: readonly TreeChange[],
): Promise<void> {
  const back = touched.map(reverse);
  await withStage(context, { intent, touched: back, to: intent.from }, (_, stage) => {
    placeFiles(context.repository.workTree, stage, back);
    return Promise.resolve();
  });
  letGo(context, intent);
}

function reverse(change: TreeChange): TreeChange {
  const kinds = { added: "removed", removed: "added", changed: "changed" } as const;
  const { path, kind, oldMode, newMode, oldId, newId } = change;
  return { path, kind: kinds[kind], oldMode: newMode, newMode: oldMode, oldId: newId, newId: oldId };
}

/** Makes the user's index with the new touched entries and all others unchanged. */
async function makeIndex(
  { repository }: ProjectContext,
  git: PrivateGit,
  touched: readonly TreeChange[],
): Promise<string> {
  const current = join(repository.gitDirectory, "index");
  readableIndex(git, current);
  const place: GitPlace = { ...git.place, indexFile: copyIndex(git, current) };
  const zero = "0".repeat(repository.objectFormat === "sha256" ? 64 : 40);
  await changeIndex(place, [
    ...absentOn(touched, "to").map((path) => removalLine(path, zero)),
    ...entriesOn(touched, "to").map(indexLine),
  ]);
  await runGit({ place, arguments: [...wholeIndex, "update-index", "-q", "--refresh"], accept: [1] });
  return place.indexFile ?? "";
}

function lockVanished(): MergeRefusal {
  return refuse("index-locked", {
    message: "A git command was at work in your checkout",
    recommendation: "Try again.",
  });
}
