import { accessSync, constants } from "node:fs";

/** Programs used for containment, by fixed path: never searched where a worker could have put its own. */
export interface ContainmentTools {
  readonly bubblewrap: string | null;
  readonly perl: string | null;
  readonly systemdRun: string | null;
  readonly systemCalls: SystemCalls | null;
}

export interface SystemCalls {
  readonly prctl: number;
  readonly sigprocmask: number;
  readonly sigtimedwait: number;
  readonly setsid: number;
  readonly prlimit: number;
}

/** Perl has no names for these without its headers. The numbers never change; arm64 and riscv64 share theirs. */
const GENERIC = { prctl: 167, sigprocmask: 135, sigtimedwait: 137, setsid: 157, prlimit: 261 };
const SYSTEM_CALLS: Readonly<Record<string, SystemCalls>> = {
  x64: { prctl: 157, sigprocmask: 14, sigtimedwait: 128, setsid: 112, prlimit: 302 },
  arm64: GENERIC,
  riscv64: GENERIC,
};

/** In the order in which the launcher's script expects them. */
export function joinCallNumbers(calls: SystemCalls): string {
  const { prctl, sigprocmask, sigtimedwait, setsid, prlimit } = calls;
  return [prctl, sigprocmask, sigtimedwait, setsid, prlimit].join(",");
}

export function findContainmentTools(): ContainmentTools {
  if (process.platform !== "linux")
    return { bubblewrap: null, perl: null, systemdRun: null, systemCalls: null };
  return {
    bubblewrap: ifExecutable("/usr/bin/bwrap"),
    perl: ifExecutable("/usr/bin/perl"),
    systemdRun: ifExecutable("/usr/bin/systemd-run"),
    systemCalls: SYSTEM_CALLS[process.arch] ?? null,
  };
}

function ifExecutable(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return null;
  }
}
