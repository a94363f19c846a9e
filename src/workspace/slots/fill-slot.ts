import { copyFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { moveToTrash } from "../files/move-to-trash.ts";
import { spreadEntries } from "../files/spread-entries.ts";
import { getStateFolders } from "../files/state-folders.ts";
import { canUseLayers, removeLayers, newLayerFolder, getUpperFolder } from "../prepare/layers.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import { chooseTreeTemplate } from "../prepare/tree-template.ts";
import type { TreeTemplate } from "../prepare/tree-trust.ts";
import { ownIndexPath, type SlotRecord } from "../records/record.ts";
import { checkOutCommit } from "./check-out.ts";

/**
 * The files of a checkout before they are mounted at its path: an empty layer above a shared tree of the commit or a near
 * one; or, if checkouts of the commit cannot share, a layer with all files.
 */
export interface RawTree {
  readonly folder: string;
  readonly shared: TreeTemplate | undefined;
}

/** Fills a registered, still empty worktree with its commit's files; undefined if they are already at its path. */
export async function fillSlot(options: SlotOptions, record: SlotRecord): Promise<RawTree | undefined> {
  const { searchPath } = options.repository.host;
  if (!(await canUseLayers(options, options.dependencyWay))) {
    await spreadEntries(searchPath, record.path);
    await checkOutCommit(options, record, record.commit);
    return undefined;
  }
  const shared = await chooseTreeTemplate(options, record.commit);
  const folder = newLayerFolder(options, record.name);
  // A mount would hide files at the path itself.
  renameSync(join(record.path, ".git"), join(getUpperFolder(folder), ".git"));
  if (shared === undefined)
    await checkOutCommit(options, { ...record, path: getUpperFolder(folder) }, record.commit);
  else copyFileSync(shared.index, ownIndexPath(options.stateDirectory, record.name));
  return { folder, shared };
}

/** Empties the path of a used checkout, so that it is registered and empty like a new one. */
export async function emptySlot(options: SlotOptions, record: SlotRecord, gitFile: string): Promise<void> {
  await removeLayers(options, record);
  // Only the mount was at the path, unless mounting was refused when it was created.
  if (readdirSync(record.path).length > 0) {
    moveToTrash(getStateFolders(options.stateDirectory).trash, record.path);
    mkdirSync(record.path);
  }
  writeFileSync(join(record.path, ".git"), gitFile);
}
