/** One piece of work that waits for its turn: everything the scheduler knows about it. */
export interface Job {
  readonly id: string;
  /** Jobs of one group share a limit, and groups take turns: the story. */
  readonly group: string;
  /** Higher starts first. */
  readonly priority: number;
  /** Smaller is older; older starts first. */
  readonly enqueuedAt: number;
  /** Globs of the files it will change. An unknown scope is empty and overlaps with nothing. */
  readonly scope: readonly string[];
  readonly dependsOn: readonly string[];
  /** Monotonic time before which it must not start. */
  readonly notBeforeMs?: number;
  /** The provider whose account it uses: while that is full it does not start. */
  readonly provider?: string;
  /** False for a job that needs no worker slot, such as a story's own manager. */
  readonly holdsSlot: boolean;
  /** The kind of slot it needs, where there are kinds. */
  readonly pool?: string;
}

/** The state of a job that neither waits nor runs. */
export type JobState = "succeeded" | "unsuccessful" | "parked";

export interface Queue {
  readonly jobs: readonly Job[];
  /** Jobs that ended, or that gave up their slot to continue later. */
  readonly known: ReadonlyMap<string, JobState>;
  readonly nowMs: number;
  /** How often a job let another one go first because of its scope. */
  readonly passedOver: ReadonlyMap<string, number>;
  /** Per group, the number of the start it was last served with; higher is later. */
  readonly turns: ReadonlyMap<string, number>;
  /** Providers whose accounts are full, and until when. */
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
  /** Per group; a group without an entry may use every slot. */
  readonly groups: ReadonlyMap<string, number>;
  /** Per pool; a pool without an entry has no slot, and its jobs take none while they wait for one. Absent without pools. */
  readonly pools?: ReadonlyMap<string, number> | undefined;
}

/** Why a job can never start; the caller decides what to do about it. */
export interface Blocked {
  readonly id: string;
  readonly kind: "blocked-by" | "unknown-dependency" | "circular-dependency";
  /** The jobs that block it; for a cycle all of its members, beginning with this one. */
  readonly on: readonly string[];
}
