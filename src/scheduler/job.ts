/** One piece of work that waits for its turn. The scheduler knows nothing else about it. */
export interface Job {
  readonly id: string;
  /** Jobs of one group share a limit, and groups take turns: the story. */
  readonly group: string;
  /** Higher starts first. */
  readonly priority: number;
  /** Smaller is older; older starts first. */
  readonly enqueuedAt: number;
  /** Globs of what it will change; empty when nobody said, and then it counts as apart from all others. */
  readonly scope: readonly string[];
  readonly dependsOn: readonly string[];
  /** Monotonic time before which it must not start. */
  readonly notBeforeMs?: number;
  /** Whose account it uses: while that is full it does not start. */
  readonly provider?: string;
  /** False for what needs no worker slot, such as a story's own manager. */
  readonly holdsSlot: boolean;
}

/** What is known about a job that neither waits nor runs. */
export type JobState = "succeeded" | "unsuccessful" | "parked";

export interface Queue {
  readonly jobs: readonly Job[];
  /** Jobs that ended, or that let go of their slot to go on later. */
  readonly known: ReadonlyMap<string, JobState>;
  readonly nowMs: number;
  /** How often a job had to let another one go first because of its scope. */
  readonly passedOver: ReadonlyMap<string, number>;
  /** Per group, the number of the start it was last served with; higher is later. */
  readonly turns: ReadonlyMap<string, number>;
  /** Providers that refuse everybody, and until when. */
  readonly full?: ReadonlyMap<string, FullProvider>;
}

export interface FullProvider {
  readonly untilMs: number;
  /** The same for people: wall time. */
  readonly untilWallMs: number;
}

export interface SlotLimits {
  /** Over all groups. */
  readonly maxConcurrent: number;
  /** Per group; a group that is not named may use every slot. */
  readonly groups: ReadonlyMap<string, number>;
}

/** Why a job cannot start whatever ends: what to do about it is the caller's to decide. */
export interface Blocked {
  readonly id: string;
  readonly kind: "blocked-by" | "unknown-dependency" | "circular-dependency";
  /** The jobs it is about; for a circle all of its members, beginning with this one. */
  readonly on: readonly string[];
}
