import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";
import { isThere } from "../files/safe-path.ts";
import { foldersOf } from "../names.ts";
import type { Repository } from "../repository.ts";
import { recordFolder, type SlotRecord } from "../slots/record.ts";
import { canBeLayer, canMountOverlay, listMounts, mountOverlay, unmountBelow } from "./overlay.ts";

export type Layer = SlotRecord["layers"][number];

export interface LayerContext {
  readonly repository: Repository;
  readonly stateDirectory: string;
}

/** Whether changes of a checkout can go to a layer of its own, above files that many share. */
export async function canLayer(context: LayerContext, way: "auto" | "copy"): Promise<boolean> {
  if (way === "copy" || !canBeLayer(context.stateDirectory)) return false;
  return canMountOverlay(context.repository.host.searchPath, context.stateDirectory);
}

/** A private folder above `lower`, shown at `target`; its files outlive the mount, and the machine's next start. */
export async function addLayer(
  context: LayerContext,
  name: string,
  place: { readonly lower: string; readonly target: string },
): Promise<Layer> {
  const folder = newLayerFolder(context, name);
  const layer: Layer = { ...place, folder };
  await mountLayer(context, layer);
  return layer;
}

export function newLayerFolder(context: LayerContext, name: string): string {
  const folder = join(layersOf(context, name), randomBase36(8));
  mkdirSync(upperOf(folder), { recursive: true });
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
export async function ensureMounted(context: LayerContext, record: SlotRecord): Promise<void> {
  if (record.layers.length === 0) return;
  const mounted = new Set(listMounts(record.path));
  for (const layer of record.layers) if (!mounted.has(layer.target)) await mountLayer(context, layer);
}

/** Unmounts all layers; what was written to them goes to the trash. */
export async function dropLayers(
  context: LayerContext,
  record: Pick<SlotRecord, "name" | "path">,
): Promise<void> {
  await unmountBelow(context.repository.host.searchPath, record.path);
  const folder = layersOf(context, record.name);
  if (!isThere(folder)) return;
  const { trash } = foldersOf(context.stateDirectory);
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  renameSync(folder, join(trash, `layers-${record.name}-${randomBase36(8)}`));
}

export function mountLayer(context: LayerContext, { lower, target, folder }: Layer): Promise<void> {
  return mountOverlay({
    searchPath: context.repository.host.searchPath,
    lower: [lower],
    upper: upperOf(folder),
    work: join(folder, "work"),
    target,
  });
}

function layersOf({ stateDirectory }: LayerContext, name: string): string {
  return join(recordFolder(stateDirectory, name), "layers");
}
