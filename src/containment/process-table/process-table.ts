import { readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProcessEntry, ProcessTable } from "./process-entry.ts";
import { readPsTable } from "./ps-table.ts";
import { readSmallFile } from "./read-small-file.ts";

/** Linux reports times in hundredths of a second to user space, whatever the kernel's tick rate. */
const TICKS_PER_SECOND = 100;

/** The number of reads between two turns of the event loop: a millisecond or less. */
export const READS_PER_TURN = 32;

/** Reads all running processes. On Linux one small read per process; elsewhere one call of `ps`. */
export function readProcessTable(): ProcessTable {
  if (process.platform !== "linux") return readPsTable();
  return new Map(listPids().flatMap((pid) => readPidEntries(pid)));
}

/** Reads the table in small steps, so that other work continues on a machine with many processes. */
export async function readProcessTableGently(): Promise<ProcessTable> {
  if (process.platform !== "linux") return readPsTable();
  const table = new Map<number, ProcessEntry>();
  for (const [index, pid] of listPids().entries()) {
    if (index % READS_PER_TURN === 0) await nextTurn();
    for (const [, entry] of readPidEntries(pid)) table.set(pid, entry);
  }
  return table;
}

function listPids(): readonly number[] {
  const names = readdirSync("/proc").filter((name) => name >= "0" && name < ":");
  return names.map(Number);
}

function readPidEntries(pid: number): readonly (readonly [number, ProcessEntry])[] {
  const entry = readProcess(pid);
  return entry === undefined ? [] : [[pid, entry]];
}

/** Reads one process; undefined if it does not exist. */
export function readProcess(pid: number): ProcessEntry | undefined {
  if (process.platform !== "linux") return readPsTable().get(pid);
  try {
    return parseProcessStat(pid, readSmallFile(`/proc/${pid}/stat`));
  } catch {
    // The process ended between listing and reading, or never existed.
    return undefined;
  }
}

/** A program may call itself `) R 1 1`, so the fields begin after the last bracket. */
export function parseProcessStat(pid: number, line: string): ProcessEntry | undefined {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const at = (index: number): number => Number(fields[index - 3]);
  const entry = {
    pid,
    parent: at(4),
    group: at(5),
    session: at(6),
    // A first thread that has ended while others continue also looks like a zombie.
    isZombie: (fields[0] === "Z" || fields[0] === "X") && at(20) <= 1,
    startTime: at(22),
    cpuSeconds: (at(14) + at(15) + at(16) + at(17)) / TICKS_PER_SECOND,
  };
  return Number.isNaN(entry.startTime) ? undefined : entry;
}

export interface Descendant {
  readonly entry: ProcessEntry;
  /** 1 for processes started by the root itself. */
  readonly depth: number;
}

/** Lists everything below `root`, without `root`. */
export function listDescendants(table: ProcessTable, root: number): readonly Descendant[] {
  const below = new Map<number, ProcessEntry[]>();
  for (const entry of table.values()) {
    const siblings = below.get(entry.parent);
    if (siblings === undefined) below.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  const found: Descendant[] = (below.get(root) ?? []).map((entry) => ({ entry, depth: 1 }));
  for (const { entry, depth } of found) {
    for (const next of below.get(entry.pid) ?? []) found.push({ entry: next, depth: depth + 1 });
    // If pids were reused while the table was read, it may contain a cycle; each process is taken once.
    below.delete(entry.pid);
  }
  return found;
}

/** Lists ourselves and everything above us. These are never signalled, whatever marks they carry. */
export function listAncestors(table: ProcessTable, pid: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (let at: number | undefined = pid; at !== undefined && !found.has(at); at = table.get(at)?.parent)
    found.add(at);
  return found;
}
