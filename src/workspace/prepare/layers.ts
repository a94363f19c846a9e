import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pathExists } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { moveToTrash } from "../files/move-to-trash.ts";
import { dropPending } from "../files/pending-work.ts";
import { getStateFolders } from "../files/state-folders.ts";
import type { ProjectContext } from "../git/repository.ts";
import { recordFolder, type SlotRecord } from "../records/record.ts";
import { canHoldLayer, canMountOverlay, isMountPoint, mountOverlay, unmountBelow } from "./overlay.ts";
import { restoreTreeTemplate } from "./tree-template.ts";
import { findTemplateFolder, isTreeShown, showTreeFiles, treeImagePath } from "./tree-image.ts";
import { TREE_PREFIX } from "./tree-trust.ts";

/** Prefix of the folders that hold changes, next to our other files. */
const PREFIX = "layer-";

export type Layer = SlotRecord["layers"][number];

/** Whether changes of a checkout can go to their own layer above shared files. */
export async function canUseLayers(context: ProjectContext, way: "auto" | "copy"): Promise<boolean> {
  if (way === "copy" || !canHoldLayer(context.stateDirectory)) return false;
  return canMountOverlay(context.repository.host.searchPath, context.stateDirectory);
}

/** Creates a folder for the changes of a checkout; its files survive the mount and a restart of the machine. */
export function newLayerFolder(context: ProjectContext, name: string): string {
  const folder = join(recordFolder(context.stateDirectory, name), `${PREFIX}${randomBase36(8)}`);
  mkdirSync(folder);
  mkdirSync(getUpperFolder(folder));
  return folder;
}

/** The folder with the changes of a layer. */
export function getUpperFolder(folder: string): string {
  return join(folder, "upper");
}

/**
 * Mounts layers that a restart of the machine has unmounted, and layers of which a person has deleted the shared files.
 * Otherwise an import would conclude that the worker deleted everything.
 */
export async function ensureMounted(context: ProjectContext, record: SlotRecord): Promise<void> {
  for (const layer of record.layers) {
    const isMounted = isMountPoint(layer.target);
    // A missing folder is never created again: the worker's changes would be missing, as if it had reverted them.
    const hasChanges = pathExists(getUpperFolder(layer.folder));
    if (!isMounted && !hasChanges) throw workspaceErrors.changesGone(record.path);
    if (!isMounted || (hasChanges && !hasItsShared(layer))) await mountAgain(context, layer);
  }
}

/** Whether the shared files below a mount are still those that it was made with. */
function hasItsShared({ lower, folder }: Layer): boolean {
  const mounted = statSync(workFolder(folder), { throwIfNoEntry: false })?.birthtimeMs ?? 0;
  return lower.every((path) => {
    const image = treeImagePath(findTemplateFolder(path));
    const born = statSync(pathExists(image) ? image : path, { throwIfNoEntry: false })?.birthtimeMs;
    return born !== undefined && born <= mounted;
  });
}

/** Mounts the worker's changes above its commit's files, which are written again if they were deleted. */
async function mountAgain(context: ProjectContext, layer: Layer): Promise<void> {
  const { searchPath } = context.repository.host;
  for (const lower of layer.lower.filter(isTree))
    if (!pathExists(lower) && !pathExists(treeImagePath(findTemplateFolder(lower))))
      await restoreTreeTemplate(context, lower);
  await unmountBelow(searchPath, layer.target);
  // Its age is that of the mount.
  rmSync(workFolder(layer.folder), { recursive: true, force: true });
  // Dependencies are ignored files, which no import reads.
  const lower = layer.lower.filter((path) => isTree(path) || pathExists(path));
  await mountLayer(context, { ...layer, lower: lower.length > 0 ? lower : [makeEmptyFolder(layer.folder)] });
}

function isTree(lower: string): boolean {
  return basename(findTemplateFolder(lower)).startsWith(TREE_PREFIX);
}

function makeEmptyFolder(folder: string): string {
  const empty = join(folder, "empty");
  mkdirSync(empty, { recursive: true });
  return empty;
}

/** The kernel's own folder of a layer, made when the layer is mounted. */
function workFolder(folder: string): string {
  return join(folder, "work");
}

/** Unmounts all layers and moves their changes to the trash. */
export async function removeLayers(
  context: ProjectContext,
  record: Pick<SlotRecord, "name" | "path">,
): Promise<void> {
  const own = recordFolder(context.stateDirectory, record.name);
  await dropPending(record.path);
  await unmountBelow(context.repository.host.searchPath, record.path);
  const names = pathExists(own) ? readdirSync(own).filter((name) => name.startsWith(PREFIX)) : [];
  for (const name of names) moveToTrash(getStateFolders(context.stateDirectory).trash, join(own, name));
}

/** Refuses if a lower folder was removed in the meantime: it must never change under a mount. */
export async function mountLayer(
  context: ProjectContext,
  { lower, target, folder }: Layer,
  { isThrowaway }: { readonly isThrowaway: boolean } = { isThrowaway: false },
): Promise<void> {
  const { searchPath } = context.repository.host;
  for (const path of lower) await showTreeFiles(searchPath, path);
  await mountOverlay({
    searchPath,
    lower,
    upper: getUpperFolder(folder),
    work: workFolder(folder),
    target,
    isThrowaway,
  });
  for (const path of lower) {
    if (await isTreeShown(path)) continue;
    await unmountBelow(searchPath, target);
    throw workspaceErrors.templateRemoved(path);
  }
}
