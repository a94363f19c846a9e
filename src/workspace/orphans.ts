import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathExists } from "../base/files.ts";
import { isStillRunning, readIdentity } from "../containment/process-identity.ts";
import { getStateFolders } from "./files/state-folders.ts";
import { listLinkedWorktrees } from "./git/find-checkout.ts";
import { scratchDirectory } from "./files/scratch-folder.ts";
import { ANCHOR_REF, CHECKPOINT_REF, findRefOwner, isWorkspaceId } from "./git/ref-names.ts";
import { listRefs } from "./git/refs.ts";
import { parseMakerPid } from "./prepare/create-folder-whole.ts";
import { stagingDirectory } from "./prepare/dependencies.ts";
import { listMounts } from "./prepare/overlay.ts";
import { listPortClaims } from "./prepare/ports.ts";
import type { SlotOptions } from "./prepare/slot-options.ts";
import { listRecordNames, listSlots, recordFolder, type Slot, tryReadSlot } from "./records/record.ts";
import { sandboxesFolder } from "./sandbox/folders.ts";
import { listSandboxes, readSandboxRecord } from "./sandbox/record.ts";
import { isPoolClaim } from "./slots/waiting-slots.ts";
import { describeSlotOptions, type WorkspaceSettings } from "./worktree.ts";

const LOCK_LOOK_MS = 200;

/** A leftover of ours that no live delegation owns. */
export type Orphan =
  /** May hold a worker's files: it must be imported, then released. */
  | { readonly kind: "sandbox" | "workspace"; readonly id: string; readonly path: string }
  /** A folder among our workspaces that no record explains. A person must look at it, unless it is empty. */
  | { readonly kind: "unknown-folder"; readonly path: string }
  /** Half created or half cleaned by a process that is gone; it holds no work. */
  | { readonly kind: "half-made"; readonly name: string; readonly path: string }
  /** Git's metadata of one of our worktrees that is gone. */
  | { readonly kind: "worktree-entry"; readonly name: string; readonly path: string }
  | {
      readonly kind: "branch" | "ref";
      readonly id: string | undefined;
      readonly ref: string;
      readonly commit: string;
    }
  | { readonly kind: "ref-lock"; readonly path: string }
  | { readonly kind: "scratch"; readonly path: string }
  | { readonly kind: "mount"; readonly path: string }
  | { readonly kind: "port-claim"; readonly portBase: number; readonly owner: string };

export interface Owners {
  /** Delegations that may have a workspace now. */
  readonly live: ReadonlySet<string>;
  /** Delegations whose branch and refs are kept, including the live ones. */
  readonly known: ReadonlySet<string>;
}

/** Lists all our leftovers in the repository and the state folder that have no owner. Read-only. */
export async function listOrphans(settings: WorkspaceSettings, owners: Owners): Promise<readonly Orphan[]> {
  const options = describeSlotOptions(settings);
  const slots = listSlots(options.stateDirectory);
  return [
    ...slots.flatMap((slot) => findSlotOrphan(slot, owners)),
    ...ownerlessSandboxes(options, owners),
    ...unreadableRecords(options),
    ...unknownFolders(options, slots, owners),
    ...worktreeEntries(options, slots),
    ...(await ownerlessRefs(options, owners)),
    ...(await findRefLocks(options)),
    ...findScratchFolders(options),
    ...findStrayMounts(options, slots),
    ...findPortClaims(options),
  ];
}

function findSlotOrphan({ record, claim }: Slot, owners: Owners): readonly Orphan[] {
  const { name, path, madeBy } = record;
  const wasGivenAway = record.isReady && claim !== undefined && !isPoolClaim(claim);
  if (wasGivenAway) return owners.live.has(claim.id) ? [] : [{ kind: "workspace", id: claim.id, path }];
  // A ready checkout of the pool waits for its next worker; any other is in use or abandoned.
  const isWaiting = record.isReady && record.pooled && claim === undefined;
  const isBusy = isStillRunning(claim !== undefined && record.isReady ? claim.claimedBy : madeBy);
  return isWaiting || isBusy ? [] : [{ kind: "half-made", name, path }];
}

function ownerlessSandboxes({ stateDirectory }: SlotOptions, owners: Owners): readonly Orphan[] {
  return listSandboxes(stateDirectory).flatMap((id): readonly Orphan[] => {
    const path = join(sandboxesFolder(stateDirectory), id);
    if (!isWorkspaceId(id)) return [{ kind: "unknown-folder", path }];
    const record = readSandboxRecord({ root: path });
    const isBeingMade = record?.isReady === false && isStillRunning(record.madeBy);
    return owners.live.has(id) || isBeingMade ? [] : [{ kind: "sandbox", id, path }];
  });
}

function unreadableRecords({ stateDirectory }: SlotOptions): readonly Orphan[] {
  return listRecordNames(stateDirectory)
    .filter((name) => tryReadSlot(stateDirectory, name) === undefined)
    .map((name) => ({ kind: "unknown-folder", path: recordFolder(stateDirectory, name) }));
}

function unknownFolders(
  { stateDirectory }: SlotOptions,
  slots: readonly Slot[],
  { live }: Owners,
): readonly Orphan[] {
  const { workspaces } = getStateFolders(stateDirectory);
  // A live worker whose record was deleted by hand still runs in its folder.
  const inUse = [...live].map((id) => join(workspaces, id));
  const known = new Set([...slots.map(({ record }) => record.path), ...inUse]);
  const folders = pathExists(workspaces) ? readdirSync(workspaces).map((name) => join(workspaces, name)) : [];
  return folders.filter((path) => !known.has(path)).map((path) => ({ kind: "unknown-folder", path }));
}

function worktreeEntries(options: SlotOptions, slots: readonly Slot[]): readonly Orphan[] {
  const { workspaces } = getStateFolders(options.stateDirectory);
  const known = new Set(slots.map(({ record }) => record.path));
  return listLinkedWorktrees(options.repository).flatMap(({ name, path }) => {
    const isOurs = path !== undefined && dirname(path) === workspaces && basename(path) === name;
    return isOurs && !known.has(path) && !pathExists(path)
      ? [{ kind: "worktree-entry", name, path } as const]
      : [];
  });
}

async function ownerlessRefs({ repository }: SlotOptions, owners: Owners): Promise<readonly Orphan[]> {
  const refs = await listRefs(repository, ["refs/heads/delegation", "refs/ambit"]);
  return refs.flatMap(({ ref, commit }) => {
    if (ref === ANCHOR_REF || ref === CHECKPOINT_REF) return [];
    const id = findRefOwner(ref);
    const kind = ref.startsWith("refs/heads/") ? "branch" : "ref";
    return id !== undefined && owners.known.has(id) ? [] : [{ kind, id, ref, commit } as const];
  });
}

/** Searches twice, a moment apart, because git holds such a lock for a few milliseconds. */
async function findRefLocks({ repository }: SlotOptions): Promise<readonly Orphan[]> {
  const folders = ["refs/heads/delegation", "refs/heads/ambit", "refs/ambit"].map((name) =>
    join(repository.commonDirectory, name),
  );
  const first = folders.flatMap(listLockFiles);
  if (first.length === 0) return [];
  await wait(LOCK_LOOK_MS);
  const second = new Set(folders.flatMap(listLockFiles));
  return first.filter((path) => second.has(path)).map((path) => ({ kind: "ref-lock", path }));
}

function listLockFiles(folder: string): readonly string[] {
  if (!pathExists(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".lock"))
    .map((name) => join(folder, name));
}

/** Folders of single git calls, half-made templates and records contain the id of the process that made them. */
function findScratchFolders({ stateDirectory }: SlotOptions): readonly Orphan[] {
  const folders = [scratchDirectory(stateDirectory), stagingDirectory(stateDirectory)];
  const scratch = folders
    .flatMap(listFolderNames)
    .map(({ name, path }) => ({ path, maker: Number.parseInt(name, 10) }));
  const { templates, records } = getStateFolders(stateDirectory);
  // The name of a finished record or sandbox never starts with a dot.
  const announced = [records, sandboxesFolder(stateDirectory)].flatMap(listFolderNames);
  const beside = [...listFolderNames(templates), ...announced.filter(({ name }) => name.startsWith("."))];
  const halfMade = beside.flatMap(({ name, path }) => {
    const maker = parseMakerPid(name);
    return maker === undefined ? [] : [{ path, maker }];
  });
  return [...scratch, ...halfMade]
    .filter(({ maker }) => readIdentity(maker) === undefined)
    .map(({ path }) => ({ kind: "scratch", path }));
}

function listFolderNames(folder: string): readonly { readonly name: string; readonly path: string }[] {
  return pathExists(folder) ? readdirSync(folder).map((name) => ({ name, path: join(folder, name) })) : [];
}

function findStrayMounts({ stateDirectory }: SlotOptions, slots: readonly Slot[]): readonly Orphan[] {
  const known = slots.map(({ record }) => record.path);
  return (
    listMounts(stateDirectory)
      // A mount on the state folder itself belongs to the user.
      .filter((target) => target !== stateDirectory)
      .filter((target) => !known.some((path) => target === path || target.startsWith(`${path}/`)))
      .map((path) => ({ kind: "mount", path }))
  );
}

function findPortClaims({ portsDirectory, stateDirectory }: SlotOptions): readonly Orphan[] {
  const { records } = getStateFolders(stateDirectory);
  return listPortClaims(portsDirectory)
    .filter(({ owner }) => dirname(owner) === records && !pathExists(owner))
    .map(({ portBase, owner }) => ({ kind: "port-claim", portBase, owner }));
}
