import { join } from "node:path";
import { writeFileAtomically } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
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
import { findTampering } from "./pointers.ts";

export interface HandOutTarget {
  readonly id: string;
  readonly base: string;
}

/**
 * Puts a claimed checkout on its delegation's branch. If it already holds the right commit, this takes one git call:
 * branch and base are created together, and HEAD is one small file that only this worktree reads.
 */
export async function handOut(
  context: ProjectContext,
  record: SlotRecord,
  target: HandOutTarget,
): Promise<SlotRecord> {
  const tampering =
    findTampering(record) ?? ((await isOnSpoiled(record)) ? "shared-tree-changed" : undefined);
  if (tampering !== undefined) throw workspaceErrors.waitingCheckoutTampered(record.path, tampering);
  const moved = record.commit === target.base ? record : await moveSlot(context, record, target.base);
  const included = refreshIncluded(context.repository.workTree, moved);
  const ready = { ...moved, included };
  if (included !== moved.included) writeRecord(context.stateDirectory, ready);
  // In this order, HEAD never names another worker's branch.
  await makeBranch(context, target);
  writeFileAtomically(join(record.adminDirectory, "HEAD"), `ref: ${branchRefOf(target.id)}\n`);
  rememberFresh(lookAtLayer(ready), target.base);
  return ready;
}

/** Moves a clean, unused checkout to another commit. */
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

/** A file that the commit itself holds is no longer a brought one. */
async function withoutTracked(context: ProjectContext, record: SlotRecord): Promise<SlotRecord["included"]> {
  if (record.included.length === 0) return record.included;
  const indexFile = ownIndexOf(context.stateDirectory, record.name);
  const { stdout } = await withSlotGit(context, record, (git) =>
    runGit({ place: { ...git.place, indexFile }, arguments: ["ls-files", "-z", "--cached"] }),
  );
  const tracked = new Set(splitZero(stdout).map((path) => path.toString("utf8")));
  return record.included.filter(({ path }) => !tracked.has(path));
}

/** Checks before anything is created; only the ref change itself decides. */
export async function refuseExistingBranch(repository: Repository, id: string): Promise<void> {
  const branch = branchRefOf(id);
  const existing = await readRef(repository, branch);
  if (existing !== undefined)
    throw workspaceErrors.branchExists(branch, existing, findCheckout(repository, branch));
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
    if (existing === undefined) throw error;
    throw workspaceErrors.branchExists(branch, existing, findCheckout(repository, branch));
  }
}
