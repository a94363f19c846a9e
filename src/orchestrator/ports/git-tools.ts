import type { ArtifactState } from "../../contract/validate-return.ts";
import type { Delegation } from "../../journal/store.ts";
import type { ErrorFacts } from "../../base/delegation-error.ts";
import type { OutsideState } from "../../workspace/outside-state.ts";
import type { ScopeReport } from "../../workspace/scope.ts";
import type { Environment } from "./story-origins.ts";
import type { PlacedCommand, PlaceOptions, PlaceRequest, WorkPlace } from "./work-place.ts";

export type Merge =
  | { readonly status: "clean"; readonly tree: string }
  /** `tree` holds the files with conflict markers in them. */
  | { readonly status: "conflict"; readonly files: readonly string[]; readonly tree: string | null };

/** A fresh checkout that no worker has ever seen, for checks. */
export interface CandidateCheckout {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Puts a command into the checkout's sandbox, or hides the state folder from it. */
  readonly place?: (command: PlacedCommand) => Promise<PlacedCommand>;
  /** False if another process wrote to files shown there; then the checks say nothing about the commit. */
  readonly wasLeftAlone: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

export interface SnapshotUse {
  /** A workspace over the shared tree is made of it next. */
  readonly isShown: boolean;
}

export interface TakenSnapshot {
  readonly commit: string;
  readonly hasUncommittedWork: boolean;
  readonly start: StartFacts;
}

/** The parts of the user's uncommitted work that are in a snapshot, and those that were left out. */
export interface StartFacts {
  readonly head: string;
  readonly changed: number;
  readonly untracked: number;
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

/** A check that ended with a failure. */
export interface FailedCheck {
  readonly commit: string;
  readonly command: string;
  readonly output: string;
  /** The variables that its command started with. */
  readonly variables: {
    readonly environment: Environment;
    readonly pass: readonly string[];
    readonly set: Readonly<Record<string, string>>;
  };
  /** It ran on the tree that a story starts from. */
  readonly isBase: boolean;
  /** It ran in a sandbox without the network. */
  readonly isOffline?: boolean;
}

/** Everything the pipeline asks of git. It never touches the user's own branch, index or files. */
export interface GitTools {
  readonly inspect: () => Promise<{
    readonly refusal: ErrorFacts | undefined;
    readonly notes: readonly string[];
    /** Notes for the person about what workspaces lack. */
    readonly missing: readonly string[];
  }>;
  /** The user's present state, uncommitted work included. */
  readonly snapshot: (id: string, use?: SnapshotUse) => Promise<TakenSnapshot>;
  /** The person's branches, changed files and home, to compare them before and after a worker. */
  readonly readOutside: () => Promise<OutsideState>;
  /** Throws while the disk has no room for further work, or cannot be written. */
  readonly requireRoom: () => void;
  /** Whether a failure at this moment is probably due to a full disk. */
  readonly isDiskFull: () => boolean;
  readonly makePlace: (request: PlaceRequest) => Promise<WorkPlace>;
  /** The workspace of a delegation that has one, also after a crash. */
  readonly findPlace: (delegation: Delegation) => Promise<WorkPlace | undefined>;
  /** Ends the running import for a worker that has ended; the next import reads everything again. */
  readonly endImports: (id: string) => void;
  /**
   * Called after a request to stop: imports of this delegation, or of all, have a few seconds left, now and later. An
   * import that takes longer is given up; the folder stays as it is.
   */
  readonly hurryImports: (id?: string) => void;
  /** A person continues it, so its folder may be read again. */
  readonly allowImports: (id: string) => void;
  /** Removes the half-made leftovers of a dead process; the delegations named here keep everything of theirs. */
  readonly tidy: (live: ReadonlySet<string>) => Promise<void>;
  /** Replaces the refs of ended workers by one of their story, as far as its branch contains their work. */
  readonly foldRefs: (story: string, workers: readonly string[]) => Promise<void>;
  readonly readBranch: (ref: string) => Promise<string | null>;
  readonly contains: (commit: string, ancestor: string) => Promise<boolean>;
  /** `mergeBase` replaces the common ancestor that git would find in history. */
  readonly merge: (ours: string, theirs: string, mergeBase?: string) => Promise<Merge>;
  /** Same input, same commit: repeating it after a crash changes nothing. */
  readonly commit: (request: {
    readonly tree: string;
    readonly parents: readonly string[];
    readonly message: string;
    readonly timeSeconds: number;
  }) => Promise<string>;
  readonly treeOf: (commit: string) => Promise<string>;
  readonly moveBranch: (move: {
    readonly ref: string;
    readonly from: string | null;
    readonly to: string;
    /** Nothing is prepared ahead from such a commit: `workspace.setup` would run there outside a sandbox. */
    readonly holdsSandboxedWork?: boolean;
  }) => Promise<"moved" | "already" | "raced" | "held-elsewhere">;
  readonly checkOut: (request: {
    readonly id: string;
    readonly commit: string;
    /** The files that the work changed; they are newer than everything that was built from them. */
    readonly changed?: readonly string[];
    /** Its workspaces are prepared by the same settings. */
    readonly story?: string;
    /** Commands run in a sandbox of this kind; throws `SANDBOX_UNAVAILABLE` if there is none. */
    readonly sandbox?: PlaceOptions;
  }) => Promise<CandidateCheckout>;
  /** Possible reasons for a failed check besides the files: how its place differs from the user's own. */
  readonly explainFailure: (failed: FailedCheck, story?: string) => Promise<readonly string[]>;
  readonly judgeScope: (question: {
    readonly base: string;
    readonly tip: string;
    readonly fileScope: readonly string[];
  }) => Promise<ScopeReport>;
  /** Finds the files among these that still contain conflict markers. */
  readonly findMarkers: (commit: string, paths: readonly string[]) => Promise<readonly string[]>;
  /** Whether these paths of a commit's tree are files, empty or missing. */
  readonly probeFiles: (
    commit: string,
    paths: readonly string[],
  ) => Promise<ReadonlyMap<string, ArtifactState>>;
  /** A file of a commit; undefined if it does not exist or is too large for a document. */
  readonly readFile: (commit: string, path: string) => Promise<Buffer | undefined>;
}
