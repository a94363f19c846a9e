import type { ContainmentTier } from "../../containment/contained-process.ts";
import type { Delegation } from "../../journal/store.ts";

export type Isolation = "worktree" | "sandbox";

export interface PlaceOptions {
  readonly network: boolean;
  readonly readable: readonly string[];
}

/** A command as it is started in a workspace: with or without a sandbox around it. */
export interface PlacedCommand {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly tier?: ContainmentTier;
}

export interface KeptWork {
  /** The commit that the work is compared with. */
  readonly base: string;
  readonly tip: string;
  readonly filesChanged: readonly string[];
}

/** One worker's workspace: a linked worktree, or a private clone inside a sandbox. The stages need not know which. */
export interface WorkPlace {
  readonly isolation: Isolation;
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  readonly tookMs: number;
  readonly environment: Readonly<Record<string, string>>;
  /** A folder the worker can write where its return is looked for, when it cannot reach the log folder. */
  readonly outbox: string | undefined;
  readonly placeCommand: (command: PlacedCommand, options: PlaceOptions) => Promise<PlacedCommand>;
  readonly keepWork: (message: string) => Promise<KeptWork>;
  /** Brings the files to a newer commit, on which the work continues. All of the work must have been kept. */
  readonly advance: (commit: string) => Promise<void>;
  /** Brings the files to a tree that has no commit yet. */
  readonly showMerge: (parents: readonly string[], tree: string) => Promise<void>;
  /** Frees the place once its work is kept; false when that could not be proven. The branch goes when it is not needed. */
  readonly release: (keepBranch: boolean) => Promise<boolean>;
}

/** The request takes precedence over the project's setting. */
export function chooseIsolation(delegation: Delegation, setting: Isolation): Isolation {
  return delegation.work?.isolation ?? setting;
}

export interface PlaceRequest {
  readonly id: string;
  readonly base: string;
  readonly isolation: Isolation;
  readonly pooled: boolean;
}
