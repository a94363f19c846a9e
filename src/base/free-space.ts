import { statfsSync } from "node:fs";
import { DelegationError } from "./delegation-error.ts";

export interface DiskSpace {
  /** Bytes that an ordinary user may still write. */
  readonly availableBytes: number;
  /** 0 where the file system does not report it. */
  readonly totalBytes: number;
}

const MAX_KEPT_FREE_BYTES = 1024 ** 3;
const KEPT_FREE_SHARE = 0.05;

/** The free bytes required before new work starts: a gigabyte, or a twentieth of a small disk. */
export function computeMinFreeBytes(totalBytes: number): number {
  return Math.min(MAX_KEPT_FREE_BYTES, Math.floor(totalBytes * KEPT_FREE_SHARE));
}

/** Returns the shortage, if any. `leastBytes` replaces the usual rule; a disk of unknown size passes. */
export function findShortage(
  space: DiskSpace,
  leastBytes: number = computeMinFreeBytes(space.totalBytes),
): { readonly availableBytes: number; readonly leastBytes: number } | undefined {
  const isShort = space.totalBytes > 0 && space.availableBytes < leastBytes;
  return isShort ? { availableBytes: space.availableBytes, leastBytes } : undefined;
}

export function readDiskSpace(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { availableBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Refuses new work on a nearly full disk before anything is created; running work is not touched. */
export function refuseWithoutSpace(folder: string, leastBytes?: number): void {
  const shortage = findShortage(readDiskSpace(folder), leastBytes);
  if (shortage === undefined) return;
  throw new DelegationError({
    code: "DISK_FULL",
    message: `The disk of ${folder} has ${showBytes(shortage.availableBytes)} free; new work needs at least ${showBytes(shortage.leastBytes)}.`,
    recommendation: "Free some space, then run the command again; nothing was started.",
    recoverable: true,
  });
}

const UNITS = ["bytes", "KiB", "MiB", "GiB"] as const;

function showBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${UNITS[power] ?? ""}`;
}
