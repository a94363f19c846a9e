import { setTimeout as delay } from "node:timers/promises";
import { sweepEmptyGroups } from "../containment/sweep-groups.ts";
import { DelegationError } from "../base/delegation-error.ts";
import type { StoreReader } from "../journal/store.ts";
import { importWork } from "../workspace/import-work.ts";
import { listOrphans, type Orphan } from "../workspace/orphans.ts";
import { removeOrphan, wouldRemoveOrphan } from "../workspace/remove-orphan.ts";
import { emptyTrash } from "../workspace/remove.ts";
import type { WorkspaceSettings } from "../workspace/worktree.ts";

const PAGE = 1000;
/** This sets no real limit: a worker missing here would look like a leftover. */
const MAX_OPEN = 1_000_000;

type KnownDelegations = Pick<StoreReader, "delegationIds" | "openDelegations">;

/** All of Ambit's folders and refs that no delegation in the journal accounts for. Changes nothing. */
export async function findLeftovers(
  workspaces: WorkspaceSettings,
  reader: KnownDelegations | undefined,
): Promise<readonly Orphan[]> {
  const live = new Set<string>();
  const known = new Set<string>();
  if (reader !== undefined) {
    for (const delegation of await reader.openDelegations(MAX_OPEN)) live.add(delegation.id);
    for (let after = ""; ;) {
      const ids = await reader.delegationIds({ prefix: "", after, limit: PAGE });
      for (const id of ids) known.add(id);
      const last = ids.at(-1);
      if (last === undefined || ids.length < PAGE) break;
      after = last;
    }
  }
  return listOrphans(workspaces, { live, known });
}

const LOOKS = 4;
const LOOK_MS = 250;

/**
 * The same without leftovers that exist only for a moment, while a supervisor comes or goes: they are gone at a later
 * look. Looks once if nothing is found.
 */
export async function findLastingLeftovers(
  workspaces: WorkspaceSettings,
  reader: KnownDelegations | undefined,
): Promise<readonly Orphan[]> {
  let lasting = await findLeftovers(workspaces, reader);
  for (let look = 1; look < LOOKS && lasting.length > 0; look += 1) {
    await delay(LOOK_MS);
    const now = new Set((await findLeftovers(workspaces, reader)).map(describeOrphan));
    lasting = lasting.filter((orphan) => now.has(describeOrphan(orphan)));
  }
  return lasting;
}

export interface CleanedLeftovers {
  readonly removed: readonly Orphan[];
  /** They may hold work, so a person has to decide. */
  readonly left: readonly Orphan[];
  readonly trees: number;
  /** Unused control groups of a killed owner. */
  readonly groups: number;
}

/**
 * Sorts the leftovers into those that `cleanLeftovers` would remove and those it would leave, as far as that is known
 * without doing it. Changes nothing.
 */
export async function sortLeftovers(
  workspaces: WorkspaceSettings,
  orphans: readonly Orphan[],
): Promise<Pick<CleanedLeftovers, "left" | "removed">> {
  const removed: Orphan[] = [];
  const left: Orphan[] = [];
  for (const orphan of orphans) ((await wouldRemoveOrphan(workspaces, orphan)) ? removed : left).push(orphan);
  return { removed, left };
}

/** Removes leftovers that provably hold no work, and the trees that were set aside for deletion. */
export async function cleanLeftovers(
  workspaces: WorkspaceSettings,
  orphans: readonly Orphan[],
): Promise<CleanedLeftovers> {
  const removed: Orphan[] = [];
  const left: Orphan[] = [];
  for (const orphan of orphans) {
    if (orphan.kind === "workspace") await importLeftWork(workspaces, orphan.id);
    if (await removeOrphan(workspaces, orphan)) removed.push(orphan);
    else left.push(orphan);
  }
  const groups = await sweepEmptyGroups();
  return { removed, left, trees: await emptyTrash(workspaces.stateDirectory), groups };
}

/** Imports work that could not be imported when its worker ended, for example for lack of space. */
async function importLeftWork(workspaces: WorkspaceSettings, id: string): Promise<void> {
  try {
    await importWork(workspaces, { id, message: `Work left by ${id}\n` });
  } catch (error) {
    // There is still no space, or the folder has changed: it stays, and is listed.
    if (!(error instanceof DelegationError)) throw error;
  }
}

/** One line for people. */
export function describeOrphan(orphan: Orphan): string {
  switch (orphan.kind) {
    case "sandbox":
    case "workspace":
      return `${orphan.kind} ${orphan.path} of ${orphan.id}`;
    case "branch":
    case "ref":
      return `${orphan.kind} ${orphan.ref}`;
    case "port-claim":
      return `ports from ${orphan.portBase}, claimed by ${orphan.owner}`;
    default:
      return `${orphan.kind} ${orphan.path}`;
  }
}
