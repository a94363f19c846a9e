import { readFileSync } from "node:fs";
import { buildCgroupName } from "./launcher/cgroup.ts";
import { readLauncherLabel } from "./launcher/launcher-label.ts";
import { parseRunMark } from "./processes/marked-processes.ts";
import { readProcess } from "./process-table/process-table.ts";

/**
 * Whether a process was started by a worker or a check, however it was detached. A process can clear its own environment
 * and leave its parent, but not its control group, and its orphans go to the launcher or to the first process of its
 * namespace, which carry the mark of the run. Processes of another user cannot be read and count as outside.
 */
export function isInsideRun(pid: number): boolean {
  return listAncestors(pid).some((at) => hasRunMark(at) || isLauncher(at) || isInRunCgroup(at));
}

/** A process and those above it. */
function listAncestors(pid: number): readonly number[] {
  const seen = new Set<number>();
  // The number of steps is not limited: a worker can put any number of processes between itself and its launcher.
  for (let at = pid; at > 0 && !seen.has(at); at = readProcess(at)?.parent ?? 0) seen.add(at);
  return [...seen];
}

/**
 * The same without reading variables, which a project can set, too, for example with a `.envrc`. Only the kernel and the
 * launcher can have set these facts.
 */
export function isBelowLauncher(pid: number): boolean {
  return listAncestors(pid).some((at) => isLauncher(at) || isInRunCgroup(at));
}

function hasRunMark(pid: number): boolean {
  const environment = readProcessFile(pid, "environ");
  return environment !== undefined && parseRunMark(environment) !== undefined;
}

/** Recognised by its name, because Perl writes the name over its environment. */
function isLauncher(pid: number): boolean {
  return readLauncherLabel(pid) !== undefined;
}

const RUN_CGROUP = new RegExp(`/${buildCgroupName("")}[A-Za-z0-9_-]+(?:/|$)`, "mu");

function isInRunCgroup(pid: number): boolean {
  return RUN_CGROUP.test(readProcessFile(pid, "cgroup")?.toString("latin1") ?? "");
}

function readProcessFile(pid: number, name: "cgroup" | "environ"): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`);
  } catch {
    // The process belongs to another user or is gone, or the system has no /proc.
    return undefined;
  }
}
