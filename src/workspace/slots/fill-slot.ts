import { copyFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { putAway } from "../files/put-away.ts";
import { foldersOf } from "../files/state-folders.ts";
import { canLayer, dropLayers, newLayerFolder, upperOf } from "../prepare/layers.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import { chooseTree } from "../prepare/tree-template.ts";
import type { TreeTemplate } from "../prepare/tree-trust.ts";
import { ownIndexOf, type SlotRecord } from "../records/record.ts";
import { checkOut } from "./check-out.ts";

/**
 * The files of a checkout before they are shown at its path: an empty layer above a shared tree of the commit, or of
 * one near it; all files of its own in that layer where checkouts of the commit cannot share.
 */
export interface RawTree {
  readonly folder: string;
  readonly shared: TreeTemplate | undefined;
}

/** Fills a registered, still empty worktree with its commit's files; undefined where they lie at its path at once. */
export async function fillSlot(options: SlotOptions, record: SlotRecord): Promise<RawTree | undefined> {
  if (!(await canLayer(options, options.dependencyWay))) {
    await checkOut(options, record, record.commit);
    return undefined;
  }
  const shared = await chooseTree(options, record.commit);
  const folder = newLayerFolder(options, record.name);
  // What lies at the path itself would be hidden by a mount.
  renameSync(join(record.path, ".git"), join(upperOf(folder), ".git"));
  if (shared === undefined) await checkOut(options, { ...record, path: upperOf(folder) }, record.commit);
  else copyFileSync(shared.index, ownIndexOf(options.stateDirectory, record.name));
  return { folder, shared };
}

/** Takes everything from a used checkout's path and leaves it as a new one: registered and empty. */
export async function emptySlot(options: SlotOptions, record: SlotRecord, gitFile: string): Promise<void> {
  await dropLayers(options, record);
  // Nothing but the mount was there, unless mounting was refused when it was made.
  if (readdirSync(record.path).length > 0) {
    putAway(foldersOf(options.stateDirectory).trash, record.path);
    mkdirSync(record.path);
  }
  writeFileSync(join(record.path, ".git"), gitFile);
}
