import type { Stats } from "node:fs";
import { readdir, stat, statfs } from "node:fs/promises";
import type { DiskLimit } from "../launcher/contained-process.ts";
import { readProcessTableGently } from "../process-table/process-table.ts";
import type { ProcessTree } from "../processes/process-tree.ts";
import type { ProcessEntry } from "../process-table/process-entry.ts";
import { measureFolders } from "./measure-folders.ts";
import type { Excess } from "./resource-watch.ts";

const MIN_PAUSE_MS = 250;
/** The pause after a measurement, as a multiple of its duration, so that a large workspace is not walked all the time. */
const PAUSE_FACTOR = 10;

export interface DiskLook {
  readonly excess: Excess | undefined;
  /** Whether the usage is above the share of the limit after which the tree is asked to finish. */
  readonly isNear: boolean;
}

const BLOCK_BYTES = 512;

/** The file systems that keep their files in memory; the memory limit counts those files. */
const memoryFileSystems: ReadonlySet<number> = new Set([0x01021994, 0x858458f6, 0x958458f6]);

/** Measures the disk space that a tree takes, if it is limited. */
export class DiskWatch {
  readonly #limit: DiskLimit | undefined;
  readonly #softLimit: number;
  #nextMs = 0;
  #isLooking = false;

  constructor({ disk, softLimit }: { readonly disk?: DiskLimit | undefined; readonly softLimit: number }) {
    this.#limit = disk;
    this.#softLimit = softLimit;
  }

  /** Undefined if nothing is limited or no measurement is due. Measurements do not overlap. */
  async checkLimit(tree: ProcessTree, ageMs: number): Promise<DiskLook | undefined> {
    if (this.#limit === undefined || this.#isLooking || ageMs < this.#nextMs) return undefined;
    const { maxBytes: max, baseBytes, folders } = this.#limit;
    this.#isLooking = true;
    const startedMs = performance.now();
    try {
      const kept = (await measureFolders(folders, baseBytes + max)) - baseBytes;
      // A file keeps its place on the disk as long as a process has it open.
      const value = kept > max ? kept : kept + (await measureDeletedOf(tree));
      const excess = value > max ? ({ limit: "disk", value, max } as const) : undefined;
      return { excess, isNear: value > max * this.#softLimit };
    } finally {
      const tookMs = performance.now() - startedMs;
      this.#nextMs = ageMs + tookMs + Math.max(MIN_PAUSE_MS, tookMs * PAUSE_FACTOR);
      this.#isLooking = false;
    }
  }
}

async function measureDeletedOf(tree: ProcessTree): Promise<number> {
  return measureDeletedFiles(tree.processes(await readProcessTableGently()).own);
}

/** The bytes on the disk that belong to deleted files which these processes still have open; 0 if there is no /proc. */
async function measureDeletedFiles(processes: readonly ProcessEntry[]): Promise<number> {
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
