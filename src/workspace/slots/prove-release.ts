import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { findMadeCommits } from "../capture/worker-commits.ts";
import { sortOut } from "../capture/sort-out.ts";
import { runGit } from "../git.ts";
import { readRef } from "../git/read-head.ts";
import { readableIndex } from "../git/private-directory.ts";
import { listRefs } from "../git/refs.ts";
import { readStatus } from "../git/status.ts";
import { baseRefOf, branchRefOf, foldersOf, workRefOf } from "../names.ts";
import { ensureMounted } from "../prepare/layers.ts";
import { refPlace, type Repository } from "../repository.ts";
import { showPath } from "../scope/show-path.ts";
import { type SlotContext, withSlotGit } from "./check-out.ts";
import { type ClaimedSlot, findClaimed, ownIndexOf } from "./record.ts";

export interface ReleaseRequest {
  readonly id: string;
  /** As it was recorded when the workspace was made; another path is refused. */
  readonly path: string;
  /** The user has been asked: what was never imported may go. Commits are kept in any case. */
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

/** Nothing is removed unless it is recorded as ours and all that was made in it is kept by a ref of ours. */
export async function proveRelease(
  context: SlotContext,
  request: ReleaseRequest,
): Promise<ReleaseProof | ReleaseRefusal> {
  const slot = findClaimed(context.stateDirectory, request.id);
  if (slot === undefined) return refuse("WORKSPACE_NOT_OURS", `no workspace is recorded for ${request.id}`);
  const { record, claim } = slot;
  const isOurPlace = dirname(record.path) === foldersOf(context.stateDirectory).workspaces;
  if (record.path !== request.path || !isOurPlace)
    return refuse("WORKSPACE_NOT_OURS", `${request.path} is not the workspace recorded for ${request.id}`);
  const { repository } = context;
  await ensureMounted(context, record);
  const branchTip = await readRef(repository, branchRefOf(request.id));
  const { commits } = await findMadeCommits(repository, record, { base: claim.base, branchTip });
  const lost = await firstUnreachable(repository, request.id, commits);
  if (lost !== undefined) return refuse("WORK_NOT_REACHABLE", `no ref we keep leads to commit ${lost}`);
  const unsaved = request.discardUnsaved === true ? [] : await listUnsaved(context, slot);
  if (unsaved.length > 0) return refuse("WORK_NOT_SAVED", `not imported yet: ${summarize(unsaved)}`);
  return { status: "proven", slot, branchTip };
}

async function firstUnreachable(
  repository: Repository,
  id: string,
  commits: readonly string[],
): Promise<string | undefined> {
  if (commits.length === 0) return undefined;
  const kept = await listRefs(repository, [baseRefOf(id), workRefOf(id), `refs/ambit/kept/${id}`]);
  const { stdout } = await runGit({
    place: refPlace(repository),
    arguments: ["rev-list", "--max-count=1", "--stdin"],
    stdin: [...commits, ...kept.map(({ commit }) => `^${commit}`)].map((word) => `${word}\n`).join(""),
  });
  const found = stdout.toString("latin1").trim();
  return found === "" ? undefined : found;
}

/** Files that differ from the newest kept commit, except those no commit can hold. */
async function listUnsaved(context: SlotContext, { record, claim }: ClaimedSlot): Promise<readonly string[]> {
  if (lstatSync(record.path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const saved = (await readRef(context.repository, workRefOf(claim.id))) ?? claim.base;
  const entries = await withSlotGit(context, { path: record.path, commit: saved }, (git) =>
    readStatus({
      ...git.place,
      indexFile: readableIndex(git, ownIndexOf(context.stateDirectory, record.name)),
    }),
  );
  const present = entries.filter((entry) => !entry.isRemoved).map(({ path }) => path);
  const { leftOut } = sortOut({ workTree: record.path, largestBytes: Infinity, removed: [], present });
  const cannotBeSaved = new Set(leftOut.map(({ path }) => path));
  return entries.filter(({ path }) => !cannotBeSaved.has(path)).map(({ path }) => showPath(path));
}

function refuse(code: ReleaseRefusalCode, reason: string): ReleaseRefusal {
  return { status: "refused", code, reason };
}

function summarize(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(", ");
  return paths.length > 5 ? `${shown} and ${String(paths.length - 5)} more` : shown;
}
