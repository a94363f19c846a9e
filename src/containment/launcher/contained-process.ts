import type { ErrorCode } from "../../contract/error-code.ts";

/** Strongest first. Only the first three guarantee that nothing survives. */
export const containmentTiers = ["pid-namespace", "cgroup", "subreaper", "process-group"] as const;

export type ContainmentTier = (typeof containmentTiers)[number];

/** Identifies a process beyond doubt: pids are reused, and start times begin again at every boot. */
export interface ProcessIdentity {
  readonly bootId: string;
  readonly pid: number;
  /** Clock ticks since boot on Linux, milliseconds since 1970 elsewhere. */
  readonly startTime: number;
}

/** Written at launch; it has all facts that a later supervisor needs to find and end the processes of an earlier one. */
export interface ProcessRecord {
  readonly runId: string;
  readonly tier: ContainmentTier;
  readonly uid: number;
  readonly identity: ProcessIdentity;
  readonly cgroup: string | null;
}

/** A run that was announced, but whose supervisor died before it could write the record. */
export interface AnnouncedRun {
  readonly runId: string;
  readonly uid: number;
  readonly identity: null;
  readonly cgroup: null;
}

export interface ContainmentLimits {
  readonly timeoutMs: number;
  /** Fraction of `timeoutMs` (0–1) after which `wind-down-asked` is sent. */
  readonly softLimit: number;
  /** Time between the request to end and the kill of the tree. */
  readonly graceMs: number;
  readonly idleWarnMs: number;
  readonly idleStopMs: number;
  /** Decides when idleness ends: by output alone, or by any activity of the tree. Absent means output. */
  readonly idleEndsBy?: "output" | "activity";
  /** The limit counts both streams together. */
  readonly outputMaxBytes: number;
  readonly memoryMaxBytes: number | null;
  readonly maxProcesses: number | null;
  readonly cpuMaxSeconds: number | null;
  /** Absent if the disk is not limited. */
  readonly disk?: DiskLimit | undefined;
  /**
   * Largest single file the tree may write, whatever its purpose; the backstop against a flood between two checks. Not
   * tied to `outputMaxBytes`, because the kernel applies it to packs and build products as well.
   */
  readonly fileMaxBytes?: number | null;
}

/** The disk space that a tree may take, measured while it runs. */
export interface DiskLimit {
  readonly maxBytes: number;
  readonly folders: readonly string[];
  /** The size of these folders before the tree started. */
  readonly baseBytes: number;
}

/** Paths that a process tree must not see. Only the tier `pid-namespace` has its own view of files. */
export interface Cover {
  /** Shown as a folder that cannot be written and holds nothing but the entries named here. */
  readonly folder: string;
  /** An entry by which processes inside recognise the cover. */
  readonly mark: string;
  /** Entries below the folder that stay as they are; those that do not exist are left out. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** Files outside the folder that can be neither read nor written nor connected to. */
  readonly files: readonly string[];
  /** Folders elsewhere that are hidden in the same way; each must exist. */
  readonly others?: readonly HiddenFolder[];
}

export interface HiddenFolder {
  readonly folder: string;
  readonly writable: readonly string[];
}

/** Shows a workspace at the project's own path, over the user's checkout. Only the tier `pid-namespace` can. */
export interface ShownProject {
  readonly folder: string;
  /** The project's own path. */
  readonly at: string;
  /** Set if the git folder is below the project and would be hidden with it. */
  readonly git?: {
    readonly folder: string;
    /** An empty folder outside the project. */
    readonly at: string;
    /** A file that is shown as the `.git` of the workspace: it names the git folder in its new place. */
    readonly pointer: string;
  };
}

/** A network without any way outside. Only the tier `pid-namespace` has one. */
export interface OwnNetwork {
  /** A file that is shown as the machine's file of host names. */
  readonly hosts?: string | undefined;
}

export interface LaunchSpec {
  /** The program by its path, or a name found on the PATH of `environment`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The complete environment; see `buildEnvironment`. `AMBIT_RUN_ID` is added. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Stdin stays writable (`writeInput`) until `endInput`; otherwise it ends after `stdin`. */
  readonly keepStdinOpen?: boolean;
  /** Holds `stdout` and `stderr`; created if missing. */
  readonly logDirectory: string;
  /** Must be unguessable, `[A-Za-z0-9_-]`, and at most 64 characters long: it marks every process of the tree. */
  readonly runId: string;
  readonly limits: ContainmentLimits;
  /** Forces a tier; otherwise the strongest available one is used. */
  readonly tier?: ContainmentTier;
  readonly cover?: Cover;
  readonly shown?: ShownProject;
  readonly ownNetwork?: OwnNetwork;
  /** Names of programs that are reported when a shell of the tree starts them. */
  readonly reported?: readonly string[];
  readonly onEvent: (event: ContainmentEvent) => void;
}

export type OutputStream = "stdout" | "stderr";

export type ContainmentEvent =
  | {
      readonly kind: "line-read";
      readonly stream: OutputStream;
      readonly text: string;
      /** The position from which reading continues after this line. */
      readonly offset: number;
      /** The line was too long; its end was dropped. */
      readonly cut: boolean;
      /** The line was not valid UTF-8; invalid bytes were replaced. The file keeps them. */
      readonly repaired: boolean;
    }
  | { readonly kind: "output-shrunk"; readonly stream: OutputStream }
  | { readonly kind: "output-skipped"; readonly stream: OutputStream; readonly bytes: number }
  | { readonly kind: "idle-warned"; readonly idleMs: number }
  /** A shell of the tree has started one of the reported programs. */
  | { readonly kind: "program-seen"; readonly command: string }
  /** We did not run for a while (stopped, or the machine slept), so deadlines moved by `extendedMs`. */
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

export type ResourceLimit = "memory" | "processes" | "cpu" | "disk";

export type ExitReason =
  | "exited"
  | "timeout"
  | "stalled"
  | "output-limit"
  | "resource-limit"
  | "disk-limit"
  | "stopped";

/** The published code for each end that a limit caused. */
export const exitReasonCodes: Readonly<Record<ExitReason, ErrorCode | null>> = {
  exited: null,
  timeout: "TIMEOUT",
  stalled: "STALLED",
  "output-limit": "OUTPUT_LIMIT_EXCEEDED",
  "resource-limit": "RESOURCE_LIMIT_EXCEEDED",
  "disk-limit": "DISK_LIMIT_EXCEEDED",
  stopped: null,
};

export interface ExitFacts {
  /** In the tier `pid-namespace`, death by signal n appears as 128 + n. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly reason: ExitReason;
  readonly errorCode: ErrorCode | null;
  readonly durationMs: number;
  readonly outputBytes: number;
  /** Processes of the tree still alive after every attempt to end them; 0 is proven in the tiers that guarantee it. */
  readonly survivors: number;
  readonly usage?: ResourceUsage;
  /** Why the command never ran, as reported by the launcher. */
  readonly problem?: string;
  /** The first error that `onEvent` threw; listeners cannot affect containment. */
  readonly listenerError?: unknown;
}

export interface ResourceUsage {
  /** The CPU time of the whole tree, as far as its processes waited for their children. */
  readonly cpuSeconds: number;
  /** Null unless a limit required measuring. */
  readonly peakMemoryBytes: number | null;
  readonly peakProcesses: number | null;
}

export interface ContainedProcess {
  readonly pid: number;
  readonly identity: ProcessIdentity;
  readonly tier: ContainmentTier;
  readonly record: ProcessRecord;
  /** Asks for an end only through the event; the adapter decides what to type into the agent. */
  readonly windDown: () => void;
  /** Asks the tree to end, then kills it; immediately with `graceMs: 0`. */
  readonly stop: (reason: string, options?: { readonly graceMs?: number }) => Promise<ExitFacts>;
  /** False if stdin is not open or no longer open. */
  readonly writeInput: (text: string) => boolean;
  readonly endInput: () => void;
  readonly exited: Promise<ExitFacts>;
}
