import { setTimeout as delay } from "node:timers/promises";
import { findCgroup } from "./launcher/cgroup.ts";
import { readLauncherLabel } from "./launcher/launcher-label.ts";
import type { AnnouncedRun, ProcessIdentity, ProcessRecord } from "./launcher/contained-process.ts";
import { isStillRunning, readBootId, signalIfSame } from "./process-identity.ts";
import { sweepRun } from "./processes/sweep-run.ts";

export interface ReapOutcome {
  readonly runId: string;
  /** `other-boot`: the machine was restarted since; nothing of that run can be alive. */
  readonly status: "nothing-left" | "ended" | "survivors" | "other-boot" | "other-user";
  readonly killed: readonly number[];
  readonly survivors: readonly number[];
}

const LAUNCHER_WAIT_MS = 1500;
const LOOK_MS = 5;

/**
 * Ends the processes that a killed supervisor left. Only processes proven ours are signalled: the recorded one by boot,
 * pid and start time, others by our run id in the environment of our own user, and all below those.
 */
export async function reapLeftovers(
  records: readonly (ProcessRecord | AnnouncedRun)[],
): Promise<readonly ReapOutcome[]> {
  return Promise.all(records.map(reapProcesses));
}

async function reapProcesses(record: ProcessRecord | AnnouncedRun): Promise<ReapOutcome> {
  const { runId } = record;
  const identity = isReassigned(record) ? null : record.identity;
  if (identity !== null && identity.bootId !== readBootId()) {
    return { runId, status: "other-boot", killed: [], survivors: [] };
  }
  if (record.uid !== (process.getuid?.() ?? 0))
    return { runId, status: "other-user", killed: [], survivors: [] };
  const launcher = identity === null || record.tier === "process-group" ? [] : await endLauncher(identity);
  // A group outlives its processes if the launcher died before it could remove it.
  const cgroup = record.cgroup ?? findCgroup(runId);
  const { killed, survivors } = await sweepRun({ ...record, identity, cgroup });
  const all = [...launcher, ...killed];
  if (survivors.length > 0) return { runId, status: "survivors", killed: all, survivors };
  return { runId, status: all.length > 0 ? "ended" : "nothing-left", killed: all, survivors };
}

/** Whether the launcher of a run works for another one by now, or waits for it: then the run itself is over. */
function isReassigned({ identity, runId }: ProcessRecord | AnnouncedRun): boolean {
  const label = identity === null ? undefined : readLauncherLabel(identity.pid);
  return label !== undefined && label !== runId;
}

/** A launcher ends everything below it better than we could; it only has to be awake. */
async function endLauncher(identity: ProcessIdentity): Promise<readonly number[]> {
  if (!signalIfSame(identity, "SIGTERM")) return [];
  signalIfSame(identity, "SIGCONT");
  const until = performance.now() + LAUNCHER_WAIT_MS;
  while (isStillRunning(identity) && performance.now() < until) await delay(LOOK_MS);
  return [identity.pid];
}
