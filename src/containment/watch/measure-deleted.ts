import type { Stats } from "node:fs";
import { readdir, stat, statfs } from "node:fs/promises";
import type { ProcessEntry } from "../process-table/process-entry.ts";

const BLOCK_BYTES = 512;
/** The file systems that keep their files in memory; the memory limit counts those files. */
const memoryFileSystems: ReadonlySet<number> = new Set([0x01021994, 0x858458f6, 0x958458f6]);

/** The bytes on the disk that belong to deleted files which these processes still have open; 0 if there is no /proc. */
export async function measureDeletedFiles(processes: readonly ProcessEntry[]): Promise<number> {
  const seen = new Set<string>();
  let bytes = 0;
  for (const { pid } of processes)
    for await (const { path, facts } of listDeletedFiles(`/proc/${pid}/fd`)) {
      const name = `${facts.dev}:${facts.ino}`;
      if (seen.has(name) || (await isInMemory(path))) continue;
      seen.add(name);
      bytes += facts.blocks * BLOCK_BYTES;
    }
  return bytes;
}

interface DeletedFile {
  readonly path: string;
  readonly facts: Stats;
}

async function* listDeletedFiles(folder: string): AsyncGenerator<DeletedFile> {
  // A process that ends meanwhile, or belongs to another user, has no files to list.
  for (const name of await readdir(folder).catch(() => [])) {
    const path = `${folder}/${name}`;
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isFile() === true && facts.nlink === 0) yield { path, facts };
  }
}

async function isInMemory(path: string): Promise<boolean> {
  const facts = await statfs(path).catch(() => undefined);
  return facts === undefined || memoryFileSystems.has(facts.type);
}
