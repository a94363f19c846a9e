import { join } from "node:path";
import { pathExists, writeFileAtomically } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { findCheckout } from "../git/find-checkout.ts";
import { readRefCommit } from "../git/read-head.ts";
import { absent } from "../git/ref-change.ts";
import { baseRefName, workerBranchRef } from "../git/ref-names.ts";
import { changeRefs } from "../git/refs.ts";
import { type Repository, type ProjectContext } from "../git/repository.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";
import { refreshIncluded } from "../prepare/include-files.ts";
import { usesSpoiledTree } from "../prepare/tree-trust.ts";
import { ownIndexPath, setUpChangesPath, type SlotRecord, writeSlotRecord } from "../records/record.ts";
import { switchToCommit, withSlotGit } from "./check-out.ts";
import { inspectLayer, rememberFresh } from "./layer-state.ts";
import { findTampering } from "./pointers.ts";

export interface HandOutTarget {
  readonly id: string;
  readonly base: string;
}

/**
 * Puts a claimed checkout that holds the right commit on its delegation's branch. This takes one git call: branch and base
 * are created together, and HEAD is one small file that only this worktree reads.
 */
export async function handOutSlot(
  context: ProjectContext,
  record: SlotRecord,
  target: HandOutTarget,
): Promise<SlotRecord> {
  await refuseTampered(record);
  const included = refreshIncluded(context.repository.workTree, record);
  const ready = { ...record, included };
  if (included !== record.included) writeSlotRecord(context.stateDirectory, ready);
  // In this order, HEAD never names another worker's branch.
  await createWorkerBranch(context, target);
  try {
    writeFileAtomically(join(record.adminDirectory, "HEAD"), `ref: ${workerBranchRef(target.id)}\n`);
  } catch (error) {
    await dropWorkerBranch(context, target);
    throw error;
  }
  const isExact = !pathExists(setUpChangesPath(context.stateDirectory, ready.name));
  rememberFresh(inspectLayer(ready), { commit: target.base, isExact });
  return ready;
}

/** Refuses a waiting checkout that another program has changed. */
export async function refuseTampered(record: SlotRecord): Promise<void> {
  const tampering =
    findTampering(record) ?? ((await usesSpoiledTree(record)) ? "shared-tree-changed" : undefined);
  if (tampering !== undefined) throw workspaceErrors.waitingCheckoutTampered(record.path, tampering);
}

/** Moves a clean, unused checkout to another commit. */
export async function moveSlotToCommit(
  context: ProjectContext,
  record: SlotRecord,
  commit: string,
): Promise<SlotRecord> {
  await switchToCommit(context, record, commit);
  // A killed process must not leave a HEAD that is not the commit of the files.
  writeFileAtomically(join(record.adminDirectory, "HEAD"), `${commit}\n`);
  const moved = { ...record, commit, included: await withoutTracked(context, record) };
  writeSlotRecord(context.stateDirectory, moved);
  return moved;
}

/** A file that the commit itself holds is no longer a brought file. */
async function withoutTracked(context: ProjectContext, record: SlotRecord): Promise<SlotRecord["included"]> {
  if (record.included.length === 0) return record.included;
  const indexFile = ownIndexPath(context.stateDirectory, record.name);
  const { stdout } = await withSlotGit(context, record, (git) =>
    runGit({ place: { ...git.place, indexFile }, arguments: ["ls-files", "-z", "--cached"] }),
  );
  const tracked = new Set(splitAtZeros(stdout).map((path) => path.toString("utf8")));
  return record.included.filter(({ path }) => !tracked.has(path));
}

/** Checks before anything is created; only the ref change itself decides. */
export async function refuseExistingBranch(repository: Repository, id: string): Promise<void> {
  const branch = workerBranchRef(id);
  const existing = await readRefCommit(repository, branch);
  if (existing !== undefined)
    throw workspaceErrors.branchExists(branch, existing, findCheckout(repository, branch));
}

/** Otherwise the next request for the same delegation would be refused, for example once a full disk has room again. */
async function dropWorkerBranch({ repository }: ProjectContext, { id, base }: HandOutTarget): Promise<void> {
  const refs = [workerBranchRef(id), baseRefName(id)];
  const changes = refs.map((ref) => ({ ref, to: undefined, from: base }));
  // What could not be removed either is told by the next request.
  await changeRefs(repository, changes).catch(() => undefined);
}

async function createWorkerBranch({ repository }: ProjectContext, target: HandOutTarget): Promise<void> {
  const branch = workerBranchRef(target.id);
  const changes = [
    { ref: branch, to: target.base, from: absent },
    { ref: baseRefName(target.id), to: target.base },
  ];
  try {
    await changeRefs(repository, changes);
  } catch (error) {
    const existing = await readRefCommit(repository, branch);
    if (existing === undefined) throw error;
    throw workspaceErrors.branchExists(branch, existing, findCheckout(repository, branch));
  }
}
