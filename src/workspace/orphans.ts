import { lstatSync, readdirSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { basename, dirname, join } from "node:path";
import { isStillRunning, readIdentity } from "../containment/process-identity.ts";
import { isThere } from "./files/safe-path.ts";
import { listLinkedWorktrees } from "./git/find-checkout.ts";
import { scratchDirectory } from "./git/private-directory.ts";
import { changeRefs, listRefs } from "./git/refs.ts";
import { runGit } from "./git.ts";
import { foldersOf, idOfRef } from "./names.ts";
import { refPlace, type Repository } from "./repository.ts";
import { stagingDirectory } from "./prepare/dependencies.ts";
import { makerOf } from "./prepare/make-beside.ts";
import { listMounts, unmountBelow } from "./prepare/overlay.ts";
import { dropPorts, listPortClaims } from "./prepare/ports.ts";
import { discardSlot } from "./slots/prepare-slot.ts";
import type { SlotOptions } from "./slots/slot-options.ts";
import { listRecordNames, listSlots, recordFolder, type Slot, tryReadSlot } from "./slots/record.ts";
import { isPoolClaim } from "./slots/shelf.ts";
import { unregisterWorktree } from "./slots/register.ts";
import { slotOptions, type WorkspaceSettings } from "./worktree.ts";

const LOCK_LOOK_MS = 200;

/** Something of ours that no live delegation owns. */
export type Orphan =
  /** Holds or may hold a worker's files: import, then release. */
  | { readonly kind: "workspace"; readonly id: string; readonly path: string }
  /** A folder among our workspaces that no record of ours explains: for a person to look at, unless it is empty. */
  | { readonly kind: "unknown-folder"; readonly path: string }
  /** Half made or half cleaned by a process that is gone; nobody's work is in it. */
  | { readonly kind: "half-made"; readonly name: string; readonly path: string }
  /** Git's notes about a worktree of ours that is gone. */
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
  /** Delegations whose branch and refs are kept, the live ones included. */
  readonly known: ReadonlySet<string>;
}

/** Everything of ours in the repository and the state folder without an owner. Only looks. */
export async function listOrphans(settings: WorkspaceSettings, owners: Owners): Promise<readonly Orphan[]> {
  const options = slotOptions(settings);
  const slots = listSlots(options.stateDirectory);
  return [
    ...slots.flatMap((slot) => judgeSlot(slot, owners)),
    ...unreadableRecords(options),
    ...unknownFolders(options, slots),
    ...worktreeEntries(options, slots),
    ...(await ownerlessRefs(options, owners)),
    ...(await refLocks(options)),
    ...scratchFolders(options),
    ...strayMounts(options, slots),
    ...portClaims(options),
  ];
}

/** Puts away what holds nobody's work. False for what needs a person, or an import and a release first. */
export async function removeOrphan(settings: WorkspaceSettings, orphan: Orphan): Promise<boolean> {
  const options = slotOptions(settings);
  const { repository, stateDirectory } = options;
  switch (orphan.kind) {
    case "workspace":
    case "ref":
      return false;
    case "unknown-folder":
      return removeIfEmpty(options, orphan.path);
    case "branch":
      return dropKeptBranch(options, orphan.ref, orphan.commit);
    case "half-made": {
      const slot = listSlots(stateDirectory).find(({ record }) => record.name === orphan.name);
      if (slot !== undefined) await discardSlot(options, slot.record);
      return true;
    }
    case "worktree-entry":
      await unregisterWorktree({ repository, stateDirectory, path: orphan.path });
      return true;
    case "ref-lock":
    case "scratch":
      rmSync(orphan.path, { recursive: true, force: true });
      return true;
    case "mount":
      await unmountBelow(repository.host.searchPath, orphan.path);
      return true;
    case "port-claim":
      dropPorts(options.portsDirectory, orphan.owner);
      return true;
  }
}

function judgeSlot({ record, claim }: Slot, owners: Owners): readonly Orphan[] {
  const { name, path, madeBy } = record;
  const wasGivenAway = record.isReady && claim !== undefined && !isPoolClaim(claim);
  if (wasGivenAway) return owners.live.has(claim.id) ? [] : [{ kind: "workspace", id: claim.id, path }];
  // A ready checkout of the pool waits for its next worker; everything else is being worked on by somebody, or left.
  const isWaiting = record.isReady && record.pooled && claim === undefined;
  const isBusy = isStillRunning(claim !== undefined && record.isReady ? claim.claimedBy : madeBy);
  return isWaiting || isBusy ? [] : [{ kind: "half-made", name, path }];
}

function unreadableRecords({ stateDirectory }: SlotOptions): readonly Orphan[] {
  return listRecordNames(stateDirectory)
    .filter((name) => tryReadSlot(stateDirectory, name) === undefined)
    .map((name) => ({ kind: "unknown-folder", path: recordFolder(stateDirectory, name) }));
}

function unknownFolders({ stateDirectory }: SlotOptions, slots: readonly Slot[]): readonly Orphan[] {
  const { workspaces } = foldersOf(stateDirectory);
  const known = new Set(slots.map(({ record }) => record.path));
  const folders = isThere(workspaces) ? readdirSync(workspaces).map((name) => join(workspaces, name)) : [];
  return folders.filter((path) => !known.has(path)).map((path) => ({ kind: "unknown-folder", path }));
}

function worktreeEntries(options: SlotOptions, slots: readonly Slot[]): readonly Orphan[] {
  const { workspaces } = foldersOf(options.stateDirectory);
  const known = new Set(slots.map(({ record }) => record.path));
  return listLinkedWorktrees(options.repository).flatMap(({ name, path }) => {
    const isOurs = path !== undefined && dirname(path) === workspaces && basename(path) === name;
    return isOurs && !known.has(path) && !isThere(path)
      ? [{ kind: "worktree-entry", name, path } as const]
      : [];
  });
}

async function ownerlessRefs({ repository }: SlotOptions, owners: Owners): Promise<readonly Orphan[]> {
  const refs = await listRefs(repository, ["refs/heads/delegation", "refs/ambit"]);
  return refs.flatMap(({ ref, commit }) => {
    const id = idOfRef(ref);
    const kind = ref.startsWith("refs/heads/") ? "branch" : "ref";
    return id !== undefined && owners.known.has(id) ? [] : [{ kind, id, ref, commit } as const];
  });
}

/** Seen twice, a moment apart: git holds such a lock for a few milliseconds. */
async function refLocks({ repository }: SlotOptions): Promise<readonly Orphan[]> {
  const folders = ["refs/heads/delegation", "refs/ambit"].map((name) =>
    join(repository.commonDirectory, name),
  );
  const first = folders.flatMap(listLocks);
  if (first.length === 0) return [];
  await wait(LOCK_LOOK_MS);
  const second = new Set(folders.flatMap(listLocks));
  return first.filter((path) => second.has(path)).map((path) => ({ kind: "ref-lock", path }));
}

function listLocks(folder: string): readonly string[] {
  if (!isThere(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".lock"))
    .map((name) => join(folder, name));
}

/** Folders of single git calls and half-made templates carry the number of the process that made them. */
function scratchFolders({ stateDirectory }: SlotOptions): readonly Orphan[] {
  const folders = [scratchDirectory(stateDirectory), stagingDirectory(stateDirectory)];
  const scratch = folders
    .flatMap(namesIn)
    .map(({ name, path }) => ({ path, maker: Number.parseInt(name, 10) }));
  const templates = namesIn(foldersOf(stateDirectory).templates).flatMap(({ name, path }) => {
    const maker = makerOf(name);
    return maker === undefined ? [] : [{ path, maker }];
  });
  return [...scratch, ...templates]
    .filter(({ maker }) => readIdentity(maker) === undefined)
    .map(({ path }) => ({ kind: "scratch", path }));
}

function namesIn(folder: string): readonly { readonly name: string; readonly path: string }[] {
  return isThere(folder) ? readdirSync(folder).map((name) => ({ name, path: join(folder, name) })) : [];
}

function strayMounts({ stateDirectory }: SlotOptions, slots: readonly Slot[]): readonly Orphan[] {
  const known = slots.map(({ record }) => record.path);
  return listMounts(stateDirectory)
    .filter((target) => !known.some((path) => target === path || target.startsWith(`${path}/`)))
    .map((path) => ({ kind: "mount", path }));
}

function portClaims({ portsDirectory, stateDirectory }: SlotOptions): readonly Orphan[] {
  const { records } = foldersOf(stateDirectory);
  return listPortClaims(portsDirectory)
    .filter(({ owner }) => dirname(owner) === records && !isThere(owner))
    .map(({ portBase, owner }) => ({ kind: "port-claim", portBase, owner }));
}

/** A git that outlived its killed caller may have made a folder with nothing but a pointer in it. */
async function removeIfEmpty({ repository, stateDirectory }: SlotOptions, path: string): Promise<boolean> {
  const isOurPlace = dirname(path) === foldersOf(stateDirectory).workspaces;
  const isEmpty = isOurPlace && readdirSync(path).every((name) => name === ".git");
  const isPointer =
    isEmpty && !(lstatSync(join(path, ".git"), { throwIfNoEntry: false })?.isDirectory() ?? false);
  if (isPointer) await unregisterWorktree({ repository, stateDirectory, path });
  return isPointer;
}

async function dropKeptBranch({ repository }: SlotOptions, ref: string, commit: string): Promise<boolean> {
  const kept = await isKept(repository, commit);
  if (kept) await changeRefs(repository, [{ ref, to: undefined, from: commit }]);
  return kept;
}

/** Whether a ref of ours, or a branch or tag of the user's, leads to the commit. */
async function isKept(repository: Repository, commit: string): Promise<boolean> {
  const { stdout } = await runGit({
    place: refPlace(repository),
    arguments: [
      "rev-list",
      "--max-count=1",
      commit,
      "--not",
      "--glob=refs/ambit/*",
      "--tags",
      "--remotes",
      "--exclude=delegation/*",
      "--branches",
    ],
  });
  return stdout.length === 0;
}
