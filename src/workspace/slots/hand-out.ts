import { join } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { writeAtomic } from "../files/write-atomic.ts";
import { findCheckout } from "../git/find-checkout.ts";
import { readRef } from "../git/read-head.ts";
import { absent } from "../git/ref-change.ts";
import { baseRefOf, branchRefOf } from "../git/ref-names.ts";
import { changeRefs } from "../git/refs.ts";
import { type Repository, type ProjectContext } from "../git/repository.ts";
import { runGit, splitZero } from "../git/run-git.ts";
import { refreshIncluded } from "../prepare/include-files.ts";
import { isOnSpoiled } from "../prepare/tree-trust.ts";
import { ownIndexOf, type SlotRecord, writeRecord } from "../records/record.ts";
import { switchTo, withSlotGit } from "./check-out.ts";
import { lookAtLayer, rememberFresh } from "./layer-state.ts";
import { findTampering, type Tampering } from "./pointers.ts";

export interface HandOutTarget {
  readonly id: string;
  readonly base: string;
}

/**
 * Puts a claimed checkout on its delegation's branch. One git call when it already holds the right commit: the ref and
 * the base are made together, and HEAD is one small file that only this worktree reads.
 */
export async function handOut(
  context: ProjectContext,
  record: SlotRecord,
  target: HandOutTarget,
): Promise<SlotRecord> {
  const tampering =
    findTampering(record) ?? ((await isOnSpoiled(record)) ? "shared-tree-changed" : undefined);
  if (tampering !== undefined) throw tampered(record, tampering);
  const moved = record.commit === target.base ? record : await moveSlot(context, record, target.base);
  const included = refreshIncluded(context.repository.workTree, moved);
  const ready = { ...moved, included };
  if (included !== moved.included) writeRecord(context.stateDirectory, ready);
  // In this order: HEAD never names a branch that is not this worker's.
  await makeBranch(context, target);
  writeAtomic(join(record.adminDirectory, "HEAD"), `ref: ${branchRefOf(target.id)}\n`);
  rememberFresh(lookAtLayer(ready), target.base);
  return ready;
}

/** Brings a clean checkout that nobody uses to another commit. */
export async function moveSlot(
  context: ProjectContext,
  record: SlotRecord,
  commit: string,
): Promise<SlotRecord> {
  await switchTo(context, record, commit);
  const moved = { ...record, commit, included: await withoutTracked(context, record) };
  writeRecord(context.stateDirectory, moved);
  return moved;
}

/** A file that the commit holds itself is no longer a brought one. */
async function withoutTracked(context: ProjectContext, record: SlotRecord): Promise<SlotRecord["included"]> {
  if (record.included.length === 0) return record.included;
  const indexFile = ownIndexOf(context.stateDirectory, record.name);
  const { stdout } = await withSlotGit(context, record, (git) =>
    runGit({ place: { ...git.place, indexFile }, arguments: ["ls-files", "-z", "--cached"] }),
  );
  const tracked = new Set(splitZero(stdout).map((path) => path.toString("utf8")));
  return record.included.filter(({ path }) => !tracked.has(path));
}

/** Asked before anything is made; only the ref change itself decides. */
export async function refuseExistingBranch(repository: Repository, id: string): Promise<void> {
  const branch = branchRefOf(id);
  const existing = await readRef(repository, branch);
  if (existing !== undefined) throw branchExists(repository, branch, existing);
}

async function makeBranch({ repository }: ProjectContext, target: HandOutTarget): Promise<void> {
  const branch = branchRefOf(target.id);
  const changes = [
    { ref: branch, to: target.base, from: absent },
    { ref: baseRefOf(target.id), to: target.base },
  ];
  try {
    await changeRefs(repository, changes);
  } catch (error) {
    const existing = await readRef(repository, branch);
    throw existing === undefined ? error : branchExists(repository, branch, existing);
  }
}

function branchExists(repository: Repository, branch: string, commit: string): DelegationError {
  const path = findCheckout(repository, branch);
  const where = path === undefined ? "not checked out anywhere" : `checked out in ${path}`;
  return new DelegationError({
    code: path === undefined ? "BRANCH_EXISTS" : "BRANCH_CHECKED_OUT",
    message: `The branch ${branch} exists already, at ${commit}, ${where}`,
    recommendation: "If its work is no longer needed, `ambit clean` puts it away; then try again.",
    recoverable: true,
  });
}

function tampered(record: SlotRecord, tampering: Tampering | "shared-tree-changed"): DelegationError {
  return new DelegationError({
    code: tampering === "folder-gone" ? "WORKSPACE_GONE" : "WORKSPACE_TAMPERED",
    message: `The checkout ${record.path} is not what was made there: ${tampering}`,
    recommendation: "It is not used again; `ambit doctor --fix` puts it away.",
    recoverable: true,
  });
}
