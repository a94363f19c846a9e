import type { ContainedProcess, LaunchSpec, ProcessRecord } from "../../containment/contained-process.ts";
import type { AnnouncedRun } from "../../containment/contained-process.ts";
import type { ArtifactState } from "../../contract/validate-return.ts";
import type { Delegation } from "../../journal/store.ts";
import type { CheckRequest, CheckResult } from "../../verification/run-checks.ts";
import type { ErrorFacts } from "../../base/delegation-error.ts";
import type { ScopeReport } from "../../workspace/scope.ts";
import type { Isolation, WorkPlace } from "../project/work-places.ts";

export type Merge =
  | { readonly status: "clean"; readonly tree: string }
  /** `tree` holds the files with conflict markers in them. */
  | { readonly status: "conflict"; readonly files: readonly string[]; readonly tree: string | null };

/** A fresh checkout that no worker has ever seen, for checks. */
export interface CandidateCheckout {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  /** False where others wrote to files that are shown there; then checks found nothing about the commit. */
  readonly wasLeftAlone: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/** All the pipeline asks of git. The user's own branch, index and files are not among it. */
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
    /** One of many: worth a checkout that is kept ready. */
    readonly pooled: boolean;
  }) => Promise<WorkPlace>;
  /** The place of a delegation that has one, also after a crash. */
  readonly findPlace: (delegation: Delegation) => Promise<WorkPlace | undefined>;
  /** Puts away what a process that is gone had half made; the delegations named here keep all of theirs. */
  readonly tidy: (live: ReadonlySet<string>) => Promise<void>;
  readonly readBranch: (ref: string) => Promise<string | null>;
  readonly contains: (commit: string, ancestor: string) => Promise<boolean>;
  readonly merge: (ours: string, theirs: string) => Promise<Merge>;
  /** Same input, same commit: doing it again after a crash changes nothing. */
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
  /** Those of these files that still hold conflict markers. */
  readonly findMarkers: (commit: string, paths: readonly string[]) => Promise<readonly string[]>;
  /** What is at these paths of a commit's tree. */
  readonly probeFiles: (
    commit: string,
    paths: readonly string[],
  ) => Promise<ReadonlyMap<string, ArtifactState>>;
}

/** All the pipeline asks of the operating system. */
export interface ProcessTools {
  readonly launch: (spec: LaunchSpec) => Promise<ContainedProcess>;
  readonly runChecks: (request: CheckRequest) => Promise<readonly CheckResult[]>;
  /** Ends what a dead predecessor left of one run; answers how many processes. */
  readonly reap: (run: ProcessRecord | AnnouncedRun) => Promise<number>;
}
