import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ProcessIdentity } from "./launcher/contained-process.ts";
import { readProcess } from "./process-table/process-table.ts";

let cachedBootId: string | undefined;

/** Identifies this boot of the machine; it cannot change while we run. */
export function readBootId(): string {
  cachedBootId ??=
    process.platform === "linux"
      ? readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()
      : execFileSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "latin1" }).trim();
  return cachedBootId;
}

/** Returns the identity of a running process, or undefined. */
export function readIdentity(pid: number): ProcessIdentity | undefined {
  const entry = readProcess(pid);
  return entry === undefined ? undefined : { bootId: readBootId(), pid, startTime: entry.startTime };
}

/** Whether the recorded process still runs; a process that has ended and only waits to be reaped does not. */
export function isStillRunning(identity: ProcessIdentity): boolean {
  if (identity.bootId !== readBootId()) return false;
  const entry = readProcess(identity.pid);
  return entry !== undefined && !entry.isZombie && entry.startTime === identity.startTime;
}

/**
 * Signals a process only if it is the recorded one, checked right before. False if it is another process, is gone, or may
 * not be signalled by us. Node cannot hold a process while checking it; the window is microseconds.
 */
export function signalIfSame(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isStillRunning(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch {
    // The process ended in between, or belongs to another user.
    return false;
  }
}
