/** The isolated checkout one worker works in. */
export interface Workspace {
  readonly id: string;
  readonly path: string;
  /** `delegation/<id>` */
  readonly branch: string;
  /** The commit it started from. */
  readonly base: string;
  /** First of ten ports that no other workspace was given. */
  readonly portBase: number;
  /** It waited, ready made. */
  readonly fromPool: boolean;
  /** The pool gets it back, to be used again. */
  readonly pooled: boolean;
  readonly tookMs: number;
  /** What the worker's environment needs beside everything else. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders of dependencies that are ready in it, and how each got there. */
  readonly dependencies: readonly PreparedDependency[];
  /** Ignored files brought from the user's checkout by `.worktreeinclude`. */
  readonly included: readonly string[];
}

/** `overlay`: a private layer over a shared template. `copy`: files of its own, sharing disk blocks where possible. */
export type DependencyWay = "overlay" | "copy";

export interface PreparedDependency {
  /** Relative to the workspace. */
  readonly path: string;
  readonly way: DependencyWay;
}

/** The places a sandbox command is built with. */
export interface SandboxPlaces {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly home: string;
  readonly temporary: string;
}

/** A checkout that has its files and dependencies, and no worker yet. */
export interface FreshCheckout {
  readonly path: string;
  /** What a worker in it will be given as well. */
  readonly environment: Readonly<Record<string, string>>;
  /** Present for a private clone: what runs there runs in a sandbox of these places. */
  readonly sandbox?: SandboxPlaces;
}

export interface SetUpFailure {
  /** How the command ended, such as `exit code 1`. */
  readonly reason: string;
  /** What it printed; the end of it is shown. */
  readonly output: string;
}

/** Runs `workspace.setup` in a checkout. Answers with nothing when it went well. */
export type SetUp = (checkout: FreshCheckout) => Promise<SetUpFailure | undefined>;

/** What is being done when making a workspace takes long. */
export interface WorkspaceProgress {
  readonly stage: "registering" | "checking-out" | "bringing-files" | "bringing-dependencies" | "setting-up";
  readonly elapsedMs: number;
}

export type OnWorkspaceProgress = (progress: WorkspaceProgress) => void;
