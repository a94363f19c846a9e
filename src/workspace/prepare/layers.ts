import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { randomBase36 } from "../../base/ids.ts";
import { putAway } from "../files/put-away.ts";
import { isThere } from "../files/safe-path.ts";
import { foldersOf } from "../files/state-folders.ts";
import type { ProjectContext } from "../git/repository.ts";
import { recordFolder, type SlotRecord } from "../records/record.ts";
import { canBeLayer, canMountOverlay, isMounted, mountOverlay, unmountBelow } from "./overlay.ts";

/** Of the folders that hold changes, beside our other notes. */
const PREFIX = "layer-";

export type Layer = SlotRecord["layers"][number];

/** Whether changes of a checkout can go to a layer of its own, above files that many share. */
export async function canLayer(context: ProjectContext, way: "auto" | "copy"): Promise<boolean> {
  if (way === "copy" || !canBeLayer(context.stateDirectory)) return false;
  return canMountOverlay(context.repository.host.searchPath, context.stateDirectory);
}

/** For the changes of a checkout; its files outlive the mount, and the machine's next start. */
export function newLayerFolder(context: ProjectContext, name: string): string {
  const folder = join(recordFolder(context.stateDirectory, name), `${PREFIX}${randomBase36(8)}`);
  mkdirSync(folder);
  mkdirSync(upperOf(folder));
  return folder;
}

/** Where the changes of a layer lie. */
export function upperOf(folder: string): string {
  return join(folder, "upper");
}

/**
 * Mounts what a restart of the machine has unmounted. Without this an import would find an empty folder and take it for
 * a worker that deleted everything.
 */
export async function ensureMounted(context: ProjectContext, record: SlotRecord): Promise<void> {
  if (record.layers.length === 0) return;
  for (const layer of record.layers)
    if (!isMounted(layer.target)) {
      // Never made anew: what a worker wrote would be missing, which looks as if it had been taken back.
      if (!isThere(upperOf(layer.folder))) throw changesGone(record);
      await mountLayer(context, layer);
    }
}

/** Unmounts all layers; what was written to them goes to the trash. */
export async function dropLayers(
  context: ProjectContext,
  record: Pick<SlotRecord, "name" | "path">,
): Promise<void> {
  await unmountBelow(context.repository.host.searchPath, record.path);
  const own = recordFolder(context.stateDirectory, record.name);
  const names = isThere(own) ? readdirSync(own).filter((name) => name.startsWith(PREFIX)) : [];
  for (const name of names) putAway(foldersOf(context.stateDirectory).trash, join(own, name));
}

/** Refuses where what lies below was put away meanwhile: it must never change under a mount. */
export async function mountLayer(context: ProjectContext, { lower, target, folder }: Layer): Promise<void> {
  await mountOverlay({
    searchPath: context.repository.host.searchPath,
    lower,
    upper: upperOf(folder),
    work: join(folder, "work"),
    target,
  });
  if (lower.every(isThere)) return;
  await unmountBelow(context.repository.host.searchPath, target);
  throw layerGone(lower);
}

function changesGone(record: SlotRecord): DelegationError {
  return new DelegationError({
    code: "WORKSPACE_GONE",
    message: `What was changed in ${record.path} is no longer there`,
    recommendation:
      "Commits made in it are still on its branch; what was not committed cannot be brought back.",
  });
}

function layerGone(lower: readonly string[]): DelegationError {
  return new DelegationError({
    code: "MOUNT_FAILED",
    message: `${lower.find((path) => !isThere(path)) ?? "A template"} was put away while it was mounted`,
    recommendation: "Try again; templates are made anew when they are needed.",
    recoverable: true,
  });
}
