import { renameSync } from "node:fs";
import { join } from "node:path";
import { workspaceErrors } from "../errors/workspace.ts";
import { type Capture, captureTree } from "./capture/capture-tree.ts";
import type { LeftOut } from "./capture/sort-out.ts";
import { chooseParent, findMadeCommits, notReachableFrom } from "./capture/worker-commits.ts";
import { commitTree, readTreeOf } from "./git/commit-tree.ts";
import { readChanges, type ChangedFile } from "./git/read-changes.ts";
import { readRef } from "./git/read-head.ts";
import { baseRefOf, branchRefOf, keptRefOf, workRefOf } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import { type ProjectContext } from "./git/repository.ts";
import { ensureMounted } from "./prepare/layers.ts";
import { ownIndexOf, readClaimed, type SlotRecord } from "./records/record.ts";
import { syncIndex, withSlotGit } from "./slots/check-out.ts";
import { removeWorkerLocks } from "./slots/clean-admin.ts";
import { isSaved, lookAtLayer, rememberSaved } from "./slots/layer-state.ts";
import { findTampering, type Tampering } from "./slots/pointers.ts";

export interface ImportRequest {
  readonly id: string;
  /** Subject and body of the commit for the worker's uncommitted changes. */
  readonly message: string;
}

export interface ImportedWork {
  readonly base: string;
  /** The newest commit, kept by `refs/ambit/work/<id>` and the branch. It is the base if nothing changed. */
  readonly tip: string;
  readonly filesChanged: readonly ChangedFile[];
  readonly nothingChanged: boolean;
  /** Commits that the worker made and then left; each has its own ref. */
  readonly kept: readonly string[];
  /** Files that are not in the tip, with the reason. */
  readonly leftOut: readonly LeftOut[];
  /** Set if the workspace was tampered with. Its files were still read, by means that it cannot change. */
  readonly tampering: Tampering | undefined;
}

/**
 * Commits everything a worker left, tracked or not, on top of the worker's own commits, and keeps all of it under our
 * refs. Reads the files with our own index and git directory; nothing in the workspace is run or trusted.
 */
export async function importWork(context: ProjectContext, request: ImportRequest): Promise<ImportedWork> {
  const { repository, stateDirectory } = context;
  const { record, claim } = readClaimed(stateDirectory, request.id);
  await ensureMounted(context, record);
  const tampering = findTampering(record);
  // An import would record that everything was deleted.
  if (tampering === "folder-gone" || tampering === "folder-replaced")
    throw workspaceErrors.workspaceGone(record.path);
  const branchTip = await readRef(repository, branchRefOf(request.id));
  const savedTip = await readRef(repository, workRefOf(request.id));
  const made = await findMadeCommits(repository, record, { base: claim.base, branchTip, savedTip });
  const parent = await chooseParent(repository, { base: claim.base, ...made });
  const look = lookAtLayer(record);
  const captured = isSaved(look, parent) ? nothing : await capture(context, record, parent);
  const tip = await commitIfChanged(context, { parent, tree: captured.tree, message: request.message });
  const kept = await notReachableFrom(repository, tip, made.commits);
  await changeRefs(repository, [
    { ref: branchRefOf(request.id), to: tip },
    { ref: baseRefOf(request.id), to: claim.base },
    { ref: workRefOf(request.id), to: tip },
    ...kept.map((commit) => ({ ref: keptRefOf(request.id, commit), to: commit })),
  ]);
  if (tampering === undefined) {
    removeWorkerLocks(record);
    if (captured !== nothing) syncIndex(stateDirectory, record);
  }
  if (captured.leftOut.length === 0) rememberSaved(look, tip);
  const filesChanged = tip === claim.base ? [] : await readChanges(repository, claim.base, tip);
  const nothingChanged = filesChanged.length === 0;
  return { base: claim.base, tip, filesChanged, nothingChanged, kept, leftOut: captured.leftOut, tampering };
}

const nothing: Capture = { tree: undefined, hasNewIndex: false, conflicted: 0, leftOut: [] };

/** Captures the whole work tree as a tree object. Our index then describes it, so a second import is fast. */
function capture(context: ProjectContext, record: SlotRecord, head: string): Promise<Capture> {
  const indexFile = ownIndexOf(context.stateDirectory, record.name);
  return withSlotGit(context, { ...record, commit: head }, async (git) => {
    const captured = await captureTree({ git, indexFile, tracked: "head", filters: [], nested: "as-files" });
    if (captured.hasNewIndex) renameSync(join(git.directory, "index"), indexFile);
    return captured;
  });
}

async function commitIfChanged(
  { repository }: ProjectContext,
  work: { readonly parent: string; readonly tree: string | undefined; readonly message: string },
): Promise<string> {
  const { parent, tree, message } = work;
  if (tree === undefined || tree === (await readTreeOf(repository, parent))) return parent;
  return commitTree({ repository, tree, parents: [parent], message });
}
