import { readFileSync, statSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProcessEntry, ProcessTable } from "../process-table/process-entry.ts";
import { listAncestors, READS_PER_TURN } from "../process-table/process-table.ts";
import { findMarkedByPs } from "../process-table/ps-table.ts";

export const RUN_MARKER = "AMBIT_RUN_ID";

/**
 * Finds live processes of our own user that were started with one of our run ids in their environment, by run id.
 * Leaves out ourselves and our ancestors, because a command typed in an agent's shell carries its mark too.
 */
export async function findMarkedProcesses(
  table: ProcessTable,
  runIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly ProcessEntry[]>> {
  const found = new Map<string, ProcessEntry[]>();
  const spared = listAncestors(table, process.pid);
  for (const { runId, pid } of await listProcessMarks(table, runIds)) {
    const entry = table.get(pid);
    if (entry === undefined || entry.isZombie || spared.has(pid)) continue;
    found.set(runId, [...(found.get(runId) ?? []), entry]);
  }
  return found;
}

interface Mark {
  readonly runId: string;
  readonly pid: number;
}

async function listProcessMarks(table: ProcessTable, runIds: ReadonlySet<string>): Promise<readonly Mark[]> {
  if (process.platform !== "linux") {
    return [...runIds].flatMap((runId) =>
      findMarkedByPs(`${RUN_MARKER}=${runId}`).map((pid) => ({ runId, pid })),
    );
  }
  const marks: Mark[] = [];
  for (const [index, pid] of [...table.keys()].entries()) {
    if (index % READS_PER_TURN === 0) await nextTurn();
    const runId = readProcessMark(pid);
    if (runId !== undefined && runIds.has(runId)) marks.push({ runId, pid });
  }
  return marks;
}

function readProcessMark(pid: number): string | undefined {
  try {
    if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return undefined;
    return parseRunMark(readFileSync(`/proc/${pid}/environ`));
  } catch {
    // The process ended in between, or we may not read its environment.
    return undefined;
  }
}

/** The value of the marker in a NUL-separated environment. */
export function parseRunMark(environment: Buffer): string | undefined {
  const needle = `${RUN_MARKER}=`;
  let at = environment.indexOf(needle);
  while (at > 0 && environment[at - 1] !== 0) at = environment.indexOf(needle, at + 1);
  if (at === -1) return undefined;
  const end = environment.indexOf(0, at);
  return environment.toString("latin1", at + needle.length, end === -1 ? environment.length : end);
}
