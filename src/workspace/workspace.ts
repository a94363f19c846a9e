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
  readonly fromPool: boolean;
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

/** What is being done when making a workspace takes long. */
export interface WorkspaceProgress {
  readonly stage: "registering" | "checking-out" | "bringing-files" | "bringing-dependencies";
  readonly elapsedMs: number;
}

export type OnWorkspaceProgress = (progress: WorkspaceProgress) => void;
