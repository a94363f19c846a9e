import { statfsSync } from "node:fs";
import { DelegationError } from "./delegation-error.ts";

export interface DiskSpace {
  /** Bytes that an ordinary user may still write. */
  readonly availableBytes: number;
  /** 0 where the file system does not report it. */
  readonly totalBytes: number;
}

/** How many more files the file system can hold; undefined where it has no such limit. */
function countFreeFiles(folder: string): number | undefined {
  const { files, ffree } = statfsSync(folder);
  return files === 0 ? undefined : ffree;
}

const MAX_KEPT_FREE_BYTES = 1024 ** 3;
const KEPT_FREE_SHARE = 0.05;
/** Less than one workspace, its records and a few commits take. */
const MIN_FREE_FILES = 200;

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

/** Refuses a request on a nearly full disk before anything is created; running work is not touched. */
export function refuseWithoutSpace(folder: string, leastBytes?: number): void {
  const shortage = findShortage(readDiskSpace(folder), leastBytes);
  if (shortage !== undefined)
    throw diskFull(
      `The disk of ${folder} has ${showBytes(shortage.availableBytes)} free; this needs at least ${showBytes(shortage.leastBytes)}.`,
      "Free some space",
    );
  const files = countFreeFiles(folder);
  if (files !== undefined && files < MIN_FREE_FILES)
    throw diskFull(
      `The disk of ${folder} has room for ${files} more files (inodes); this needs at least ${MIN_FREE_FILES}.`,
      "Remove some files",
    );
}

/** So little that what fails now has probably failed for lack of room. */
const MAX_FULL_BYTES = 64 * 1024 ** 2;

/** Whether the disk is as good as full, in bytes or in files. */
export function isNearlyFull(folder: string): boolean {
  const { availableBytes, totalBytes } = readDiskSpace(folder);
  const full = Math.min(MAX_FULL_BYTES, computeMinFreeBytes(totalBytes));
  return (
    (totalBytes > 0 && availableBytes < full) || (countFreeFiles(folder) ?? MIN_FREE_FILES) < MIN_FREE_FILES
  );
}

function diskFull(message: string, remedy: string): DelegationError {
  const recommendation = `${remedy}, then run the command again; nothing was changed.`;
  return new DelegationError({ code: "DISK_FULL", message, recommendation, recoverable: true });
}

const UNITS = ["bytes", "KiB", "MiB", "GiB"] as const;

function showBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${UNITS[power] ?? ""}`;
}
