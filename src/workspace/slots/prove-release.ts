import { dirname } from "node:path";
import { findUnreachable } from "../capture/reachable.ts";
import { listUnsavedFiles } from "../capture/unsaved-files.ts";
import { findMadeCommits } from "../capture/worker-commits.ts";
import { getStateFolders } from "../files/state-folders.ts";
import { formatBytePath } from "../git/format-byte-path.ts";
import { readRefCommit } from "../git/read-head.ts";
import { workerBranchRef, workRefName } from "../git/ref-names.ts";
import { type ProjectContext } from "../git/repository.ts";
import { ensureMounted } from "../prepare/layers.ts";
import { type ClaimedSlot, findClaimedSlot, ownIndexPath } from "../records/record.ts";
import { withSlotGit } from "./check-out.ts";
import { isLayerSaved, inspectLayer } from "./layer-state.ts";
import { findTampering } from "./pointers.ts";

export interface ReleaseRequest {
  readonly id: string;
  /** The path recorded when the workspace was created; any other path is refused. */
  readonly path: string;
  /** The user agreed to lose work that was never imported. Commits are kept in any case. */
  readonly discardUnsaved?: boolean;
}

export type ReleaseRefusalCode = "WORKSPACE_NOT_OURS" | "WORK_NOT_REACHABLE" | "WORK_NOT_SAVED";

export interface ReleaseRefusal {
  readonly status: "refused";
  readonly code: ReleaseRefusalCode;
  readonly reason: string;
}

export interface ReleaseProof {
  readonly status: "proven";
  readonly slot: ClaimedSlot;
  readonly branchTip: string | undefined;
}

/** Nothing is removed unless it is recorded as ours and one of our refs keeps everything made in it. */
export async function proveRelease(
  context: ProjectContext,
  request: ReleaseRequest,
): Promise<ReleaseProof | ReleaseRefusal> {
  const slot = findClaimedSlot(context.stateDirectory, request.id);
  if (slot === undefined)
    return refuseRelease("WORKSPACE_NOT_OURS", `no workspace is recorded for ${request.id}`);
  const { record, claim } = slot;
  const isOurPlace = dirname(record.path) === getStateFolders(context.stateDirectory).workspaces;
  if (record.path !== request.path || !isOurPlace)
    return refuseRelease(
      "WORKSPACE_NOT_OURS",
      `${request.path} is not the workspace recorded for ${request.id}`,
    );
  const { repository } = context;
  await ensureMounted(context, record);
  const branchTip = await readRefCommit(repository, workerBranchRef(request.id));
  const { commits } = await findMadeCommits(repository, record, { base: claim.base, branchTip });
  const lost = await findUnreachable(repository, request.id, commits);
  if (lost !== undefined)
    return refuseRelease("WORK_NOT_REACHABLE", `none of our refs leads to commit ${lost}`);
  const unsaved = request.discardUnsaved === true ? [] : await listUnsavedPaths(context, slot);
  if (unsaved.length > 0)
    return refuseRelease("WORK_NOT_SAVED", `not imported yet: ${summarizePaths(unsaved)}`);
  return { status: "proven", slot, branchTip };
}

/** Lists files that differ from the newest kept commit. */
async function listUnsavedPaths(
  context: ProjectContext,
  { record, claim }: ClaimedSlot,
): Promise<readonly string[]> {
  const tampering = findTampering(record);
  if (tampering === "folder-gone" || tampering === "folder-replaced") return [];
  const saved = (await readRefCommit(context.repository, workRefName(claim.id))) ?? claim.base;
  if (isLayerSaved(inspectLayer(record), saved)) return [];
  const indexFile = ownIndexPath(context.stateDirectory, record.name);
  const unsaved = await withSlotGit(context, { ...record, commit: saved }, (git) =>
    listUnsavedFiles(git, indexFile),
  );
  return unsaved.map(formatBytePath);
}

function refuseRelease(code: ReleaseRefusalCode, reason: string): ReleaseRefusal {
  return { status: "refused", code, reason };
}

function summarizePaths(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(", ");
  return paths.length > 5 ? `${shown} and ${String(paths.length - 5)} more` : shown;
}
