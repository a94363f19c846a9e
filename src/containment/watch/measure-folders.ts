import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const BLOCK_BYTES = 512;

/**
 * The bytes that everything in these folders takes on the disk; a file with several names counts once. Stops counting
 * above `enoughBytes`. Other file systems that are mounted inside do not count, nor do files that disappear meanwhile.
 */
export async function measureFolders(
  folders: readonly string[],
  enoughBytes = Number.POSITIVE_INFINITY,
): Promise<number> {
  const seen = new Set<string>();
  let bytes = 0;
  for (const root of folders)
    for await (const facts of walkFolder(root)) {
      if (!isKnown(facts, seen)) bytes += facts.blocks * BLOCK_BYTES;
      if (bytes > enoughBytes) return bytes;
    }
  return bytes;
}

async function* walkFolder(root: string): AsyncGenerator<Stats> {
  const device = (await readFacts(root))?.dev;
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const name of await listNames(folder)) {
      const path = join(folder, name);
      const facts = await readFacts(path);
      if (facts === undefined || facts.dev !== device) continue;
      if (facts.isDirectory()) open.push(path);
      yield facts;
    }
}

function isKnown(facts: Stats, seen: Set<string>): boolean {
  if (facts.isDirectory() || facts.nlink < 2) return false;
  const name = `${facts.dev}:${facts.ino}`;
  const wasSeen = seen.has(name);
  seen.add(name);
  return wasSeen;
}

async function readFacts(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

async function listNames(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
