import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProcessEntry } from "./process-entry.ts";
import { READS_PER_TURN } from "./process-table.ts";
import { readSmallFile } from "./read-small-file.ts";

export interface TreeProcesses {
  /** The agent's processes. */
  readonly own: readonly ProcessEntry[];
  /** Includes the launcher and bubblewrap: they have waited for orphans and hold their CPU time. */
  readonly all: readonly ProcessEntry[];
}

export interface TreeMeasure {
  readonly memoryBytes: number;
  readonly processes: number;
  readonly cpuSeconds: number;
}

/**
 * Measures memory, processes and CPU time of a tree. Private pages are added up. Shared pages count once, as the
 * largest share of any single process; otherwise twenty processes of one program would look like twenty times its
 * size.
 */
export async function measureTree({ own, all }: TreeProcesses): Promise<TreeMeasure> {
  const living = own.filter((entry) => !entry.isZombie);
  let ownBytes = 0;
  let largestShared = 0;
  for (const [index, { pid }] of living.entries()) {
    if (index % READS_PER_TURN === 0) await nextTurn();
    const memory = readProcessMemory(pid);
    ownBytes += memory.own;
    largestShared = Math.max(largestShared, memory.shared);
  }
  return {
    memoryBytes: ownBytes + largestShared,
    processes: living.length,
    cpuSeconds: all.reduce((sum, entry) => sum + entry.cpuSeconds, 0),
  };
}

function readProcessMemory(pid: number): { readonly own: number; readonly shared: number } {
  try {
    const status = readSmallFile(`/proc/${pid}/status`);
    const shared = parseKibibytes(status, "RssFile:") + parseKibibytes(status, "RssShmem:");
    return { own: parseKibibytes(status, "RssAnon:") * 1024, shared: shared * 1024 };
  } catch {
    // It ended after the table was read, or the system has no /proc; then memory is not measured.
    return { own: 0, shared: 0 };
  }
}

/** `RssAnon:\t    1234 kB` */
function parseKibibytes(status: string, name: string): number {
  const at = status.indexOf(name);
  return at === -1
    ? 0
    : Number.parseInt(status.slice(at + name.length, at + name.length + 24).trimStart(), 10);
}
