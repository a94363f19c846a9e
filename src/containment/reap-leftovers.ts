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

async function reapProcesses(recorded: ProcessRecord | AnnouncedRun): Promise<ReapOutcome> {
  const { runId } = recorded;
  if (recorded.identity !== null && recorded.identity.bootId !== readBootId()) {
    return { runId, status: "other-boot", killed: [], survivors: [] };
  }
  if (recorded.uid !== (process.getuid?.() ?? 0))
    return { runId, status: "other-user", killed: [], survivors: [] };
  const record = withoutReassigned(recorded);
  const launcher =
    record.identity === null || record.tier === "process-group" ? [] : await endLauncher(record.identity);
  // A group outlives its processes if the launcher died before it could remove it.
  const cgroup = record.cgroup ?? findCgroup(runId);
  const { killed, survivors } = await sweepRun({ ...record, cgroup });
  const all = [...launcher, ...killed];
  if (survivors.length > 0) return { runId, status: "survivors", killed: all, survivors };
  return { runId, status: all.length > 0 ? "ended" : "nothing-left", killed: all, survivors };
}

/** A launcher that works for another run by now, or waits for one, has left nothing of this run. */
function withoutReassigned(record: ProcessRecord | AnnouncedRun): ProcessRecord | AnnouncedRun {
  const { runId, uid, identity } = record;
  const label = identity === null ? undefined : readLauncherLabel(identity.pid);
  return label === undefined || label === runId ? record : { runId, uid, identity: null, cgroup: null };
}

/** A launcher ends everything below it better than we could; it only has to be awake. */
async function endLauncher(identity: ProcessIdentity): Promise<readonly number[]> {
  if (!signalIfSame(identity, "SIGTERM")) return [];
  signalIfSame(identity, "SIGCONT");
  const until = performance.now() + LAUNCHER_WAIT_MS;
  while (isStillRunning(identity) && performance.now() < until) await delay(LOOK_MS);
  return [identity.pid];
}
