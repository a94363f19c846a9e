import { copyFileSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { unmountBelow } from "../prepare/overlay.ts";
import { canLayer, newLayerFolder, upperOf } from "../prepare/layers.ts";
import { findTreeTemplate } from "../prepare/tree-template.ts";
import { checkOut, syncIndex } from "./check-out.ts";
import { ownIndexOf, type SlotRecord } from "./record.ts";
import type { SlotOptions } from "./slot-options.ts";

/**
 * The files of a checkout before they are shown at its path: in a layer folder, above a shared tree of the commit where
 * there is one. Not mounted yet, so that whatever is done there is done to plain files.
 */
export interface RawTree {
  readonly folder: string;
  readonly tree: string | undefined;
}

/** Fills a registered, still empty worktree with its commit's files; undefined where they lie at its path at once. */
export async function fillSlot(options: SlotOptions, record: SlotRecord): Promise<RawTree | undefined> {
  if (!(await canLayer(options, options.dependencyWay))) {
    await checkOut(options, record, record.commit);
    return undefined;
  }
  const folder = newLayerFolder(options, record.name);
  // What lies at the path itself would be hidden by a mount.
  renameSync(join(record.path, ".git"), join(upperOf(folder), ".git"));
  // Pooled checkouts hold files of their own; one that is used once may share a template's.
  const template = record.pooled ? undefined : findTreeTemplate(options.stateDirectory, record.commit);
  if (template === undefined) {
    await checkOut(options, { ...record, path: upperOf(folder) }, record.commit);
    return { folder, tree: undefined };
  }
  copyFileSync(template.index, ownIndexOf(options.stateDirectory, record.name));
  syncIndex(options.stateDirectory, record);
  return { folder, tree: template.tree };
}

/** Takes a used checkout's own files from its path again. */
export async function unlaySlot(options: SlotOptions, record: SlotRecord): Promise<RawTree> {
  await unmountBelow(options.repository.host.searchPath, record.path);
  const layer = record.layers.find(({ target }) => target === record.path);
  if (layer !== undefined) return { folder: layer.folder, tree: undefined };
  const folder = newLayerFolder(options, record.name);
  renameSync(record.path, upperOf(folder));
  mkdirSync(record.path);
  return { folder, tree: undefined };
}
