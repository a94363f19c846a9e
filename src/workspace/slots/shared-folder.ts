import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { getUpperFolder } from "../prepare/layers.ts";
import type { SlotRecord } from "../records/record.ts";

export interface LayeredCheckout {
  readonly layer: SlotRecord["layers"][number];
  readonly checkout: string;
}

/**
 * Whether a folder in the layer shows the shared folder of its path below it, so that everything else in it is unchanged.
 * A folder that was made again hides it, and a renamed one shows another; then no file in it is the one of that path.
 */
export function showsSharedFolder({ layer, checkout }: LayeredCheckout, path: string): boolean {
  const written = new Set(listNames(join(getUpperFolder(layer.folder), path)));
  return layer.lower.some((tree) => {
    const shared = listNames(join(tree, path)).find((name) => !written.has(name));
    return shared !== undefined && isSameFile(join(tree, path, shared), join(checkout, path, shared));
  });
}

function listNames(folder: string): readonly string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];
}

/** A file seen through a layer has the inode of the file below it, which no other name may share. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) =>
    lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  );
  if (first === undefined || first.ino !== second?.ino) return false;
  return first.isDirectory() || first.nlink === 1n;
}
