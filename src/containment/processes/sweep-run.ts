import { setTimeout as delay } from "node:timers/promises";
import { killCgroup, removeCgroup } from "../launcher/cgroup.ts";
import type { ProcessIdentity } from "../launcher/contained-process.ts";
import { findMarkedProcesses } from "./marked-processes.ts";
import type { ProcessEntry, ProcessTable } from "../process-table/process-entry.ts";
import {
  listAncestors,
  listDescendants,
  readProcess,
  readProcessTableGently,
} from "../process-table/process-table.ts";

/** A run: its mark is always known, the rest only if it was recorded. */
export interface SweptRun {
  readonly runId: string;
  readonly identity: ProcessIdentity | null;
  readonly cgroup: string | null;
}

export interface SweepOutcome {
  /** Processes that were signalled. */
  readonly killed: readonly number[];
  /** Processes still alive at the end. */
  readonly survivors: readonly number[];
}

const ROUND_MS = 10;
const MAX_ROUNDS = 200;

/**
 * Kills the remaining processes of one run until none is found, for at most two seconds. A process belongs to the run if
 * it was seen in the tree before (`known`), carries the run's mark, is in the group we started, or is below one of those.
 */
export async function sweepRun(
  record: SweptRun,
  known: readonly ProcessIdentity[] = [],
): Promise<SweepOutcome> {
  const killed = new Set<number>();
  let survivors: readonly ProcessEntry[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (record.cgroup !== null) killCgroup(record.cgroup, record.runId);
    survivors = await findLeftovers(await readProcessTableGently(), record, known);
    if (survivors.length === 0) break;
    for (const entry of survivors) {
      killed.add(entry.pid);
      killIfUnchanged(entry);
    }
    await delay(ROUND_MS);
  }
  if (record.cgroup !== null) removeCgroup(record.cgroup);
  return { killed: [...killed], survivors: survivors.map(({ pid }) => pid) };
}

async function findLeftovers(
  table: ProcessTable,
  record: SweptRun,
  known: readonly ProcessIdentity[],
): Promise<readonly ProcessEntry[]> {
  const marked = await findMarkedProcesses(table, new Set([record.runId]));
  const roots = [
    ...known.flatMap((identity) => isSameProcess(table, identity)),
    ...(record.identity === null ? [] : listGroupMembers(table, record.identity)),
    ...(marked.get(record.runId) ?? []),
  ];
  const found = new Map<number, ProcessEntry>();
  for (const root of roots) {
    found.set(root.pid, root);
    for (const { entry } of listDescendants(table, root.pid)) found.set(entry.pid, entry);
  }
  const spared = listAncestors(table, process.pid);
  return [...found.values()].filter((entry) => !entry.isZombie && !spared.has(entry.pid));
}

function isSameProcess(table: ProcessTable, identity: ProcessIdentity): readonly ProcessEntry[] {
  const entry = table.get(identity.pid);
  return entry !== undefined && entry.startTime === identity.startTime ? [entry] : [];
}

/** A group keeps its number while it has members; an unrelated process with that pid means that the group is gone. */
function listGroupMembers(table: ProcessTable, leader: ProcessIdentity): readonly ProcessEntry[] {
  const holder = table.get(leader.pid);
  if (holder !== undefined && holder.startTime !== leader.startTime) return [];
  const members = [...table.values()].filter(
    (entry) => entry.group === leader.pid && entry.session === leader.pid,
  );
  return members.filter((entry) => entry.startTime >= leader.startTime);
}

/** Checks again, because the pid may have been reused since the table was read. */
function killIfUnchanged({ pid, startTime }: ProcessEntry): void {
  if (readProcess(pid)?.startTime !== startTime) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process ended in between, or we may not signal it; the next round shows which.
  }
}
