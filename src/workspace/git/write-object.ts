import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { hasErrorCode } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { getObjectDirectory, type Repository } from "./repository.ts";

export interface GitObject {
  readonly type: "blob" | "commit" | "tree";
  readonly content: Buffer;
}

/**
 * Stores an object as git does: compressed, in a file named after its content, and on the disk before it has that name.
 * Starting git for it would take longer than all other steps of a small change.
 */
export async function writeObject(repository: Repository, object: GitObject): Promise<string> {
  const whole = formatObject(object);
  const id = hashBytes(repository, whole);
  const folder = join(getObjectDirectory(repository), id.slice(0, 2));
  const file = join(folder, id.slice(2));
  if (freshenObject(file)) return id;
  // Git removes files of this name that were left behind.
  const written = join(folder, `tmp_obj_${randomBase36(8)}`);
  try {
    await writeDurably(folder, written, deflateSync(whole, { level: 1 }));
    renameSync(written, file);
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
  }
  return id;
}

/** The id of an object, which need not be stored. */
export function hashObject(repository: Repository, object: GitObject): string {
  return hashBytes(repository, formatObject(object));
}

function formatObject({ type, content }: GitObject): Buffer {
  return Buffer.concat([Buffer.from(`${type} ${String(content.length)}\0`), content]);
}

function hashBytes({ objectFormat }: Repository, bytes: Buffer): string {
  return createHash(objectFormat).update(bytes).digest("hex");
}

/** As git does it: an object that is needed again must look new, or a `git gc` that runs now removes it with other old ones. */
function freshenObject(file: string): boolean {
  const now = new Date();
  try {
    utimesSync(file, now, now);
    return true;
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return false;
    // It may exist although we may not change it. If it cannot even be found, storing it fails with the reason.
    return existsSync(file);
  }
}

const syncDescriptor = promisify(fsync);

/** Only the disk is waited for: a turn of its own for each of the short calls would take longer than all of them. */
async function writeDurably(folder: string, path: string, bytes: Buffer): Promise<void> {
  const descriptor = openNew(folder, path);
  try {
    writeFileSync(descriptor, bytes);
    await syncDescriptor(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function openNew(folder: string, path: string): number {
  try {
    return openSync(path, "wx", 0o444);
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
    mkdirSync(folder, { recursive: true });
    return openSync(path, "wx", 0o444);
  }
}
