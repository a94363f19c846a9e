import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProcessEntry } from "../process-table/process-entry.ts";
import { READS_PER_TURN } from "../process-table/process-table.ts";
import { readSmallFile } from "../process-table/read-small-file.ts";

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
  /** Changes whenever a process of the tree has run, started or ended. */
  readonly activity: string;
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
  const activity: string[] = [];
  for (const [index, { pid }] of living.entries()) {
    if (index % READS_PER_TURN === 0) await nextTurn();
    const memory = readProcessFacts(pid);
    ownBytes += memory.own;
    largestShared = Math.max(largestShared, memory.shared);
    activity.push(`${pid}:${memory.switches}`);
  }
  return {
    memoryBytes: ownBytes + largestShared,
    processes: living.length,
    cpuSeconds: all.reduce((sum, entry) => sum + entry.cpuSeconds, 0),
    activity: [...activity, ...all.map(({ pid, cpuSeconds }) => `${pid}=${cpuSeconds}`)].join(" "),
  };
}

interface ProcessFacts {
  readonly own: number;
  readonly shared: number;
  /** How often the process was put to sleep or interrupted: this grows even if it uses less than a tick of CPU time. */
  readonly switches: number;
}

function readProcessFacts(pid: number): ProcessFacts {
  try {
    const status = readSmallFile(`/proc/${pid}/status`);
    const shared = parseNumberAfter(status, "RssFile:") + parseNumberAfter(status, "RssShmem:");
    const switches =
      parseNumberAfter(status, "\nvoluntary_ctxt_switches:") +
      parseNumberAfter(status, "nonvoluntary_ctxt_switches:");
    return { own: parseNumberAfter(status, "RssAnon:") * 1024, shared: shared * 1024, switches };
  } catch {
    // The process ended after the table was read, or the system has no /proc; then memory is not measured.
    return { own: 0, shared: 0, switches: 0 };
  }
}

/** `RssAnon:\t    1234 kB` */
function parseNumberAfter(status: string, name: string): number {
  const at = status.indexOf(name);
  return at === -1
    ? 0
    : Number.parseInt(status.slice(at + name.length, at + name.length + 24).trimStart(), 10);
}
