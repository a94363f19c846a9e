import type { Limits } from "../../contract/limits.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { Usage } from "../../contract/usage.ts";
import type { Failed } from "../../guards/verdict.ts";
import type { ApprovalAnswer, ApprovalKind } from "../../contract/approval.ts";
import type { JournalEvent, NewEvent } from "../../contract/journal-event.ts";
import type { StorySetting } from "../../contract/story-setting.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";
import type { Delegation, NamedDelegation, OutlinedDelegation, ProvenDelegation } from "./delegation.ts";
import type { MailReader } from "./store-mail.ts";
import type { CompletedSums, StoreTotals, StoryUse, WorkerTotals } from "./store-totals.ts";

export type { Delegation, NamedDelegation, OutlinedDelegation, ProvenDelegation } from "./delegation.ts";
export type { Turn } from "./turn.ts";
export type { EventFilter, EventPage, StoredEvent };

/** A story and, under the same id, its root delegation. */
export interface NewStory {
  readonly id: string;
  readonly kind: "story" | "workflow";
  readonly title: string;
  /** The manager's agent name, second on every path below it. */
  readonly agent: string;
  readonly limits: Limits;
  /** Where its settings came from; those with a default are left out. */
  readonly settings?: readonly StorySetting[];
  readonly scope?: readonly string[];
  readonly work?: WorkSpec;
  readonly budgetTokens?: number;
  readonly budgetMicroUsd?: number;
}

/** One delegation that a manager requests. */
export interface NewDelegation {
  readonly description: string;
  /** It was written as `[delegate:…]` in the manager's message. */
  readonly isDirective?: boolean;
  readonly agent?: string;
  /** `agent` names only a program, which may be on the path already. */
  readonly isDriver?: boolean;
  readonly targetId?: string;
  readonly estimatedHours?: number;
  readonly contextTokens?: number;
  readonly priority?: number;
  readonly timeoutSeconds?: number;
  readonly scope?: readonly string[];
  readonly criteria?: readonly string[];
  /** The checklist item it does; an item has one open delegation. */
  readonly todo?: string;
  readonly work?: WorkSpec;
  readonly budgetTokens?: number;
  readonly budgetMicroUsd?: number;
  /** Refusals known before the store checks its limits. */
  readonly refusals?: readonly Failed[];
}

export interface Batch {
  readonly parent: string;
  /** The manager's own attempt: a manager that was replaced can no longer delegate. */
  readonly parentAttempt: number;
  /** The context size that the manager's agent reports now. */
  readonly parentContextTokens?: number;
  readonly isReview?: boolean; // A review of the manager's own returned work; no result of it enters the manager's context.
  readonly requests: readonly NewDelegation[];
}

export type Admission =
  | { readonly admitted: true; readonly delegation: Delegation }
  | { readonly admitted: false; readonly failures: readonly Failed[] };

/** A request that waits for a person or a manager. */
export interface Approval {
  readonly id: string;
  readonly story: string;
  readonly delegation: string;
  readonly kind: ApprovalKind;
  readonly question: string;
  readonly details: readonly string[];
  readonly answer: ApprovalAnswer | null;
  readonly answeredBy: string | null;
  readonly reason: string;
  readonly askedAt: string;
}

export interface Story {
  readonly id: string;
  readonly kind: "story" | "workflow";
  readonly title: string;
  readonly limits: Limits;
  /** Null in journals of versions that did not keep them. */
  readonly settings: readonly StorySetting[] | null;
  readonly delegations: number;
  readonly openedAt: string;
}

/** Ids that begin with a text, in alphabetical order; `after` continues a listing. */
export interface IdQuery {
  readonly prefix: string;
  readonly after?: string;
  readonly limit: number;
}

/** Cursor reads and projections; nothing here loads everything. */
export interface StoreReader extends MailReader {
  eventsAfter(cursor: number, limit: number, filter?: EventFilter): Promise<EventPage>;
  /** The newest events that match, oldest first. */
  newestEvents(limit: number, filter?: EventFilter): Promise<readonly StoredEvent[]>;
  /** Sequence number and hash of the newest event; 0 and the empty chain's hash when there is none. */
  head(): Promise<{ readonly seq: number; readonly hash: string }>;
  story(id: string): Promise<Story | undefined>;
  /** Newest first. */
  stories(limit: number): Promise<readonly Story[]>;
  storyIds(query: IdQuery): Promise<readonly string[]>;
  delegation(id: string): Promise<Delegation | undefined>;
  /** Stories are in it too: each is the root of its own tree. */
  delegationIds(query: IdQuery): Promise<readonly string[]>;
  /** The whole tree of one story, the root first, in order of admission. */
  storyTree(id: string): Promise<readonly Delegation[]>;
  /** The same tree for an overview. */
  storyOutline(id: string): Promise<readonly OutlinedDelegation[]>;
  /** The newest delegations of a story except this one, in order of admission: enough to name them. */
  othersInStory(self: Pick<Delegation, "id" | "story">, limit: number): Promise<readonly NamedDelegation[]>;
  /** The delegations of a story that are accepted or about to be, and the ones named in `also`, in order of admission. */
  provenInStory(id: string, also?: readonly string[]): Promise<readonly ProvenDelegation[]>;
  /** Whether any worker of a story is or was sandboxed, or its base holds such work. */
  hasSandboxedWork(story: string): Promise<boolean>;
  /** Open work, oldest first. */
  openDelegations(limit: number): Promise<readonly Delegation[]>;
  /** Ended delegations whose workspaces still exist. */
  closedWithWorkspace(limit: number): Promise<readonly Delegation[]>;
  /** Ids of stories with open work, oldest first. */
  openStories(limit: number): Promise<readonly string[]>;
  /** The approvals of one delegation, answered or not, oldest first. */
  approvalsOf(delegation: string): Promise<readonly Approval[]>;
  openApprovals(limit: number): Promise<readonly Approval[]>;
  totals(): Promise<StoreTotals>;
  completedSums(): Promise<CompletedSums>;
  storyUse(id: string): Promise<StoryUse>;
  /** By agent name; workers without a name come first. */
  workerTotals(): Promise<readonly WorkerTotals[]>;
  close(): Promise<void>;
}

export interface Settlement {
  readonly outcome: Outcome;
  readonly code?: string;
  readonly summary: string;
  readonly filesChanged?: readonly string[];
}

export type BeginResult = "ok" | "stale" | "full";
export type HeartbeatResult = "ok" | "stale" | "cancelled";
export type SettleResult = "ok" | "stale" | "open-workers" | "unproven";
export type SpendResult =
  | { readonly kind: "stale" }
  | { readonly kind: "ok"; readonly pressure: "free" | "soft" | "hard" };

/** Events that only the store itself may append, because limits or the ledger depend on them. */
export const guardedEventTypes = [
  "story-opened",
  "delegation-admitted",
  "delegation-refused",
  "attempt-started",
  "usage-reported",
  "cancellation-requested",
  "delegation-closed",
  "late-return-ignored",
  "delegation-rejoined",
] as const;

export type RecordableEvent = Exclude<NewEvent, { readonly type: (typeof guardedEventTypes)[number] }>;

export interface AttemptName {
  readonly id: string;
  readonly attempt: number;
}

/** Why work is to be stopped. With `speaker` it is the wish of an attempt, which is ignored once that is over. */
export interface StopWish {
  readonly reason: string;
  readonly by: string;
  readonly speaker?: AttemptName;
}

/** The holder of an attempt, and how long it may go without a heartbeat. */
export interface Lease {
  readonly owner: string;
  readonly leaseMs: number;
  /** Workers that may run at once across all stories. */
  readonly maxConcurrent: number;
}

/**
 * The store is the truth. Every limit is checked inside the transaction that admits, so that no interleaving of
 * processes exceeds one; every result needs the current attempt number, so that a wrong queue costs a wasted attempt
 * and never a wrong state.
 */
export interface Store extends StoreReader {
  openStory(story: NewStory): Promise<Story>;
  admit(batch: Batch): Promise<readonly Admission[]>;
  /** Starts attempt number `attempt`, which must be the next one. */
  begin(id: string, attempt: number, lease: Lease): Promise<BeginResult>;
  heartbeat(id: string, attempt: number, leaseMs: number): Promise<HeartbeatResult>;
  spend(id: string, attempt: number, usage: Usage): Promise<SpendResult>;
  /**
   * Appends an event that changes no limit: of an attempt while it is under way, or, with attempt 0, of the runtime
   * itself. An attempt that was lost, or has given its delegation back, is refused although no other has begun. So is
   * everything that such an attempt says as `speaker` about others.
   */
  record(event: RecordableEvent, speaker?: AttemptName): Promise<"ok" | "stale">;
  /** Continues the attempt of a manager that waited inline, once a slot is free. */
  rejoin(id: string, attempt: number, lease: Lease): Promise<BeginResult>;
  requestCancel(id: string, wish: StopWish): Promise<void>;
  /** Ends a delegation as its attempt under way wants it; with attempt 0, one that is queued. */
  settle(id: string, attempt: number, settlement: Settlement): Promise<SettleResult>;
  /**
   * Puts attempts whose lease ran out back into the queue and returns their ids. `isOf` restricts this to some owners.
   */
  requeueLost(isOf?: (owner: string) => boolean): Promise<readonly string[]>;
  /** If other machines write, too: brings the tables that are read here up to the newest event. */
  refresh?(): Promise<void>;
  /** Calls the listener for every event once it is stored; returns a function that stops it. */
  onEvent(listener: (event: JournalEvent) => void): () => void;
}

interface StoredEvent {
  readonly seq: number;
  /** The exact text that is hashed. */
  readonly body: string;
  readonly hash: string;
}

interface EventPage {
  readonly events: readonly StoredEvent[];
  /** Pass it to the next call; unchanged when there were no new events. */
  readonly cursor: number;
}

interface EventFilter {
  readonly story?: string;
  readonly delegation?: string;
}
