import { createHash, randomUUID } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns a short text that changes whenever anything below a folder is written, renamed, added, removed or given
 * other permissions. Programs cannot set inode change times, so it cannot be forged. Contents are not read.
 */
export async function fingerprintTree(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = next;
    const entries = await readdir(path, { withFileTypes: true });
    entries.sort((left, right) => (left.name < right.name ? -1 : 1));
    const lines = await Promise.all(entries.map((entry) => describeEntry(join(path, entry.name))));
    hash.update(`${path}\0${lines.join("\0")}\0`);
    for (const entry of entries) if (entry.isDirectory()) waiting.push(join(path, entry.name));
  }
  return hash.digest("hex");
}

/** Identifies the state of the user's folder. Looks only at the top level, because it runs before every delegation. */
export function fingerprintFolder(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).toSorted()) {
    const stats = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
    hash.update(`${name}\0${String(stats?.ino)}:${String(stats?.mtimeNs)}:${String(stats?.size)}\0`);
  }
  return hash.digest("hex").slice(0, 32);
}

async function describeEntry(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  // A name that is not UTF-8 cannot be looked up here, so such a folder never counts as untouched.
  if (stats === undefined) return randomUUID();
  return [path, stats.ino, stats.ctimeNs, stats.mtimeNs, stats.size, stats.mode].map(String).join(":");
}
