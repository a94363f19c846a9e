import type { Finding } from "../../doctor/finding.ts";

/** The state of a node for a person, as an identifier for colours and icons; `stateWord` is the word to show. */
export type NodeState =
  | "queued"
  | "running"
  | "parked"
  | "returned"
  | "checking"
  | "verified"
  | "merged"
  | "needs you"
  | "stopping"
  | "ended"
  | "completed"
  | "partial"
  | "failed"
  | "blocked"
  | "cancelled"
  | "timed_out";

/** How sure a sum is. */
export type CostSource = "reported" | "estimated" | "unpriced" | "simulated";

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly recommendation: string;
}

/**
 * Body of every answer that is not 2xx. 401: sign in with `POST /api/session` and `{token}` from the link's fragment, which
 * answers 204 with a cookie.
 */
export interface Failure {
  readonly error: Problem;
}

/** `GET /api/project`. */
export interface Project {
  readonly name: string;
  readonly version: string;
  /** Number of the newest event: where to begin listening. */
  readonly seq: number;
  readonly nowMs: number;
  /** Whether a supervisor runs; actions start one when needed. */
  readonly isSupervised: boolean;
  readonly working: number;
  readonly needsYou: number;
  readonly microUsd: number;
}

/** `GET /api/health`: whether this machine and project are ready, looked at just now. */
export interface Health {
  readonly ok: boolean;
  readonly findings: readonly HealthFinding[];
  readonly supervisor: {
    readonly isRunning: boolean;
    readonly pid: number | null;
    readonly version: string | null;
    /** Stories that have not ended. */
    readonly stories: readonly string[];
  };
  /** Null for a project that works on one machine. */
  readonly cluster: ClusterHealth | null;
}

export interface ClusterHealth {
  /** Why nothing is known of it now; empty if all is well. */
  readonly problem: string;
  /** The machine that merges and checks; null if it is not known. */
  readonly coordinator: string | null;
  readonly isCoordinated: boolean;
  readonly machines: readonly {
    readonly name: string;
    readonly pool: string;
    readonly slots: number;
    readonly used: number;
    readonly state: "takes work" | "lets its work end" | "not heard";
    readonly version: string;
  }[];
}

/** `next` is empty if there is none. */
export type HealthFinding = Required<Finding>;

/** `GET /api/performance`: over all runs of the project; null is what was never measured. */
export interface Figures {
  readonly seq: number;
  readonly delegations: number;
  readonly completed: number;
  readonly failed: number;
  readonly running: number;
  readonly waiting: number;
  readonly refused: number;
  readonly successRate: number | null;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly microUsd: number;
  readonly parallelEfficiency: number | null;
  readonly maxDepthSeen: number;
}
