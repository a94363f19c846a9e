import { readFileSync } from "node:fs";
import type { Clock } from "../../base/clock.ts";

/** Returns how long the machine has slept since the clock was created; always 0 if the system does not report it. */
export type SleepClock = () => number;

const LOOK_EVERY_MS = 5000;

/**
 * On Linux the monotonic clock stops while the machine sleeps and /proc/uptime continues: the difference is the
 * sleep. The file is read at most every five seconds.
 */
export function createSleepClock(
  clock: Clock,
  readUptimeMs: () => number | undefined = readUptime,
): SleepClock {
  const startUptimeMs = readUptimeMs();
  const startMs = clock.monotonicMs();
  let lastLookMs = startMs;
  let sleptMs = 0;
  return () => {
    const nowMs = clock.monotonicMs();
    if (startUptimeMs === undefined || nowMs - lastLookMs < LOOK_EVERY_MS) return sleptMs;
    lastLookMs = nowMs;
    const uptimeMs = readUptimeMs();
    if (uptimeMs === undefined) return sleptMs;
    sleptMs = Math.max(sleptMs, uptimeMs - startUptimeMs - (nowMs - startMs));
    return sleptMs;
  };
}

function readUptime(): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return Number.parseFloat(readFileSync("/proc/uptime", "latin1")) * 1000;
  } catch {
    // /proc is hidden: only the note that the machine slept is lost.
    return undefined;
  }
}
