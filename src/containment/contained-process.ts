import type { ErrorCode } from "../contract/error-code.ts";

/** Strongest first. Only the first three promise that nothing survives. */
export const containmentTiers = ["pid-namespace", "cgroup", "subreaper", "process-group"] as const;

export type ContainmentTier = (typeof containmentTiers)[number];

/** A process, beyond doubt: pids are reused, and start times begin again at every boot. */
export interface ProcessIdentity {
  readonly bootId: string;
  readonly pid: number;
  /** Clock ticks since boot on Linux, milliseconds since 1970 elsewhere. */
  readonly startTime: number;
}

/** Written down at launch; all a later supervisor needs to find and end what an earlier one left. */
export interface ProcessRecord {
  readonly runId: string;
  readonly tier: ContainmentTier;
  readonly uid: number;
  readonly identity: ProcessIdentity;
  readonly cgroup: string | null;
}

/** What is known of a run that was announced, but whose supervisor died before it could write the record down. */
export interface AnnouncedRun {
  readonly runId: string;
  readonly uid: number;
  readonly identity: null;
  readonly cgroup: null;
}

export interface ContainmentLimits {
  readonly timeoutMs: number;
  /** Share of `timeoutMs` after which `wind-down-asked` is sent, 0–1. */
  readonly softLimit: number;
  /** Between the request to end and the kill of the tree. */
  readonly graceMs: number;
  readonly idleWarnMs: number;
  readonly idleStopMs: number;
  /** Both streams together. */
  readonly outputMaxBytes: number;
  readonly memoryMaxBytes: number | null;
  readonly maxProcesses: number | null;
  readonly cpuMaxSeconds: number | null;
  /**
   * Largest single file the tree may write, whatever it is for; the backstop for a flood while we cannot look.
   * Not tied to `outputMaxBytes`, because the kernel applies it to packs and build products as well.
   */
  readonly fileMaxBytes?: number | null;
}

export interface LaunchSpec {
  /** The program by its path, or a name found on the PATH of `environment`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Whole; see `buildEnvironment`. `AMBIT_RUN_ID` is added. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Stdin stays writable (`writeInput`) until `endInput`; otherwise it ends after `stdin`. */
  readonly keepStdinOpen?: boolean;
  /** Holds `stdout` and `stderr`; made when missing. */
  readonly logDirectory: string;
  /** Unguessable, `[A-Za-z0-9_-]`, at most 64: it marks every process of the tree. */
  readonly runId: string;
  readonly limits: ContainmentLimits;
  /** Forces a tier; the strongest available one otherwise. */
  readonly tier?: ContainmentTier;
  readonly onEvent: (event: ContainmentEvent) => void;
}

export type OutputStream = "stdout" | "stderr";

export type ContainmentEvent =
  | {
      readonly kind: "line-read";
      readonly stream: OutputStream;
      readonly text: string;
      /** Where reading goes on after this line. */
      readonly offset: number;
      /** Longer than a line may be; the rest was dropped. */
      readonly cut: boolean;
      /** Not valid UTF-8; broken bytes were replaced. The file keeps them. */
      readonly repaired: boolean;
    }
  | { readonly kind: "output-shrunk"; readonly stream: OutputStream }
  | { readonly kind: "output-skipped"; readonly stream: OutputStream; readonly bytes: number }
  | { readonly kind: "idle-warned"; readonly idleMs: number }
  /** We did not run for a while (stopped, or the machine slept): deadlines moved by `extendedMs`. */
  | { readonly kind: "gap-noticed"; readonly gapMs: number; readonly extendedMs: number }
  | { readonly kind: "wind-down-asked"; readonly cause: "time" | "caller" }
  | {
      readonly kind: "limit-exceeded";
      readonly limit: ResourceLimit;
      readonly value: number;
      readonly max: number;
    }
  | {
      readonly kind: "stop-started";
      readonly reason: ExitReason;
      readonly graceMs: number;
      readonly note: string;
    }
  | { readonly kind: "kill-started"; readonly reason: ExitReason };

export type ResourceLimit = "memory" | "processes" | "cpu";

export type ExitReason = "exited" | "timeout" | "stalled" | "output-limit" | "resource-limit" | "stopped";

/** The published code of each ending that a limit caused. */
export const exitReasonCodes: Readonly<Record<ExitReason, ErrorCode | null>> = {
  exited: null,
  timeout: "TIMEOUT",
  stalled: "STALLED",
  "output-limit": "OUTPUT_LIMIT_EXCEEDED",
  "resource-limit": "RESOURCE_LIMIT_EXCEEDED",
  stopped: null,
};

export interface ExitFacts {
  /** In the tier `pid-namespace` a death by signal n shows as 128 + n. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly reason: ExitReason;
  readonly errorCode: ErrorCode | null;
  readonly durationMs: number;
  readonly outputBytes: number;
  /** Processes of the tree still alive after everything was tried; 0 is proven in the tiers that promise it. */
  readonly survivors: number;
  readonly usage?: ResourceUsage;
  /** Why the command never ran, as the launcher saw it. */
  readonly problem?: string;
  /** The first thing `onEvent` threw; the tree is contained whatever listeners do. */
  readonly listenerError?: unknown;
}

export interface ResourceUsage {
  /** Of the whole tree, as far as its processes waited for one another. */
  readonly cpuSeconds: number;
  /** Null unless a limit asked for looking. */
  readonly peakMemoryBytes: number | null;
  readonly peakProcesses: number | null;
}

export interface ContainedProcess {
  readonly pid: number;
  readonly identity: ProcessIdentity;
  readonly tier: ContainmentTier;
  readonly record: ProcessRecord;
  /** Asks for an end through the event alone: what to type into the agent is its adapter's matter. */
  readonly windDown: () => void;
  /** Asks the tree to end, then kills it; at once with `graceMs: 0`. */
  readonly stop: (reason: string, options?: { readonly graceMs?: number }) => Promise<ExitFacts>;
  /** False when stdin is not open (any more). */
  readonly writeInput: (text: string) => boolean;
  readonly endInput: () => void;
  readonly exited: Promise<ExitFacts>;
}
