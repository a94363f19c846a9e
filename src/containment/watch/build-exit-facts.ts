import {
  type ContainmentLimits,
  type ExitFacts,
  type ExitReason,
  exitReasonCodes,
} from "../launcher/contained-process.ts";
import type { LauncherFacts } from "../launcher/facts-file.ts";
import type { Ending } from "../launcher/run-process.ts";

export interface WatchedEnd {
  readonly ending: Ending;
  readonly launcherFacts: LauncherFacts | undefined;
  readonly limits: Pick<ContainmentLimits, "cpuMaxSeconds" | "fileMaxBytes">;
  /** The reason why we ended it; undefined if it ended by itself. */
  readonly reason: ExitReason | undefined;
  readonly durationMs: number;
  readonly outputBytes: number;
  readonly survivors: number;
  readonly resources: {
    readonly peaks: { readonly peakMemoryBytes: number | null; readonly peakProcesses: number | null };
    readonly cpuSeconds: number;
  };
  readonly listenerError: unknown;
}

/** The launcher's report takes precedence over its own exit. */
export function buildExitFacts(end: WatchedEnd): ExitFacts {
  const { launcherFacts, resources } = end;
  const code = launcherFacts?.code === undefined ? end.ending.code : launcherFacts.code;
  const signal = launcherFacts?.signal === undefined ? end.ending.signal : launcherFacts.signal;
  const reason = end.reason ?? (wasEndedByLimit(end.limits, { code, signal }) ? "resource-limit" : "exited");
  const cpuSeconds = Math.max(launcherFacts?.cpuSeconds ?? 0, resources.cpuSeconds);
  const isMeasured = launcherFacts?.cpuSeconds !== undefined || resources.peaks.peakProcesses !== null;
  return {
    code,
    signal,
    reason,
    errorCode: exitReasonCodes[reason],
    durationMs: end.durationMs,
    outputBytes: end.outputBytes,
    survivors: end.survivors,
    ...(isMeasured ? { usage: { cpuSeconds, ...resources.peaks } } : {}),
    ...(launcherFacts?.problem === undefined ? {} : { problem: launcherFacts.problem }),
    ...(end.listenerError === undefined ? {} : { listenerError: end.listenerError }),
  };
}

/** The kernel's own limits end a process by signal; shells and bubblewrap report that as 128 + its number. */
function wasEndedByLimit(limits: WatchedEnd["limits"], { code, signal }: Ending): boolean {
  const isCpu = signal === "SIGXCPU" || code === 152;
  const isFile = signal === "SIGXFSZ" || code === 153;
  return (isCpu && limits.cpuMaxSeconds !== null) || (isFile && limits.fileMaxBytes !== null);
}
