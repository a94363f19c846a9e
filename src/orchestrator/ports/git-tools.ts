import type { ArtifactState } from "../../contract/validate-return.ts";
import type { Delegation } from "../../journal/store.ts";
import type { ErrorFacts } from "../../base/delegation-error.ts";
import type { ScopeReport } from "../../workspace/scope.ts";
import type { Isolation, WorkPlace } from "./work-place.ts";

export type Merge =
  | { readonly status: "clean"; readonly tree: string }
  /** `tree` holds the files with conflict markers in them. */
  | { readonly status: "conflict"; readonly files: readonly string[]; readonly tree: string | null };

/** A fresh checkout that no worker has ever seen, for checks. */
export interface CandidateCheckout {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  /** False when another process wrote to files shown there; then the checks say nothing about the commit. */
  readonly wasLeftAlone: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/** Everything the pipeline asks of git. It never touches the user's own branch, index or files. */
export interface GitTools {
  readonly inspect: () => Promise<{
    readonly refusal: ErrorFacts | undefined;
    readonly notes: readonly string[];
  }>;
  /** The user's present state, uncommitted work included. */
  readonly snapshot: (
    id: string,
  ) => Promise<{ readonly commit: string; readonly hasUncommittedWork: boolean }>;
  readonly makePlace: (request: {
    readonly id: string;
    readonly base: string;
    readonly isolation: Isolation;
    /** One of many: worth a checkout that the pool keeps ready. */
    readonly pooled: boolean;
  }) => Promise<WorkPlace>;
  /** The workspace of a delegation that has one, also after a crash. */
  readonly findPlace: (delegation: Delegation) => Promise<WorkPlace | undefined>;
  /** Removes what a dead process left half made; the delegations named here keep everything of theirs. */
  readonly tidy: (live: ReadonlySet<string>) => Promise<void>;
  readonly readBranch: (ref: string) => Promise<string | null>;
  readonly contains: (commit: string, ancestor: string) => Promise<boolean>;
  readonly merge: (ours: string, theirs: string) => Promise<Merge>;
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
  }) => Promise<"moved" | "already" | "raced" | "held-elsewhere">;
  readonly checkOut: (request: {
    readonly id: string;
    readonly commit: string;
  }) => Promise<CandidateCheckout>;
  readonly judgeScope: (question: {
    readonly base: string;
    readonly tip: string;
    readonly fileScope: readonly string[];
  }) => Promise<ScopeReport>;
  /** Which of these files still hold conflict markers. */
  readonly findMarkers: (commit: string, paths: readonly string[]) => Promise<readonly string[]>;
  /** Whether these paths of a commit's tree are files, empty or missing. */
  readonly probeFiles: (
    commit: string,
    paths: readonly string[],
  ) => Promise<ReadonlyMap<string, ArtifactState>>;
}
