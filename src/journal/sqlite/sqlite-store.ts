import { systemClock, type Clock } from "../../base/clock.ts";
import { explainFileTrouble } from "../../base/file-trouble.ts";
import { dropUndefined } from "../../base/json.ts";
import { journalErrors } from "../../errors/journal.ts";
import { newSessionId } from "./new-session-id.ts";
import { storyIdSchema } from "../../contract/identity.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Usage } from "../../contract/usage.ts";
import type {
  Admission,
  AttemptName,
  Batch,
  BeginResult,
  HeartbeatResult,
  Lease,
  NewStory,
  RecordableEvent,
  Settlement,
  SettleResult,
  SpendResult,
  StopWish,
  Store,
  Story,
} from "../model/store.ts";
import { admitBatch, type AdmissionTools } from "./admit.ts";
import { Announcer } from "./announcer.ts";
import {
  beginAttempt,
  extendLease,
  recordEvent,
  rejoinAttempt,
  requestEnd,
  requeueExpired,
  settleAttempt,
  spendUsage,
} from "./attempts.ts";
import { CommitQueue, type CommitHooks } from "./commit-queue.ts";
import { isBusy, type Database } from "./database.ts";
import { JournalWriter } from "./journal-writer.ts";
import { readDelegation, SqliteReader } from "./reader.ts";
import { bringInLog, keepRoom } from "./reserve.ts";
import { storyFromRow } from "./rows.ts";

/**
 * The parts that the steps of a store need, besides the connection that writes. If the journal is elsewhere, a
 * transaction stays open while others read, so reads have a connection of their own.
 */
export interface StoreParts<Queue extends CommitQueue> {
  readonly reader: Database;
  readonly clock: Clock;
  readonly createQueue: (database: Database, hooks: CommitHooks) => Queue;
}

/** The steps of every store: each is decided on SQLite tables, in one transaction per step or per group of steps. */
export class StepStore<Queue extends CommitQueue> extends SqliteReader implements Store {
  protected readonly tools: AdmissionTools;
  protected readonly commits: Queue;
  readonly #announcer: Announcer;

  constructor(database: Database, parts: StoreParts<Queue>) {
    super(parts.reader);
    const { clock } = parts;
    const journal = new JournalWriter(database, clock);
    this.tools = { database, journal, clock };
    this.#announcer = new Announcer(parts.reader);
    this.commits = parts.createQueue(database, {
      restart: () => journal.restart(),
      committed: () => this.#announcer.announce(),
    });
  }

  openStory(story: NewStory): Promise<Story> {
    return this.commits.run(() => openStory(this.tools, story));
  }

  admit(batch: Batch): Promise<readonly Admission[]> {
    return this.commits.run(() => admitBatch(this.tools, batch));
  }

  begin(id: string, attempt: number, lease: Lease): Promise<BeginResult> {
    return this.commits.run(() => beginAttempt(this.tools, { id, attempt }, lease));
  }

  heartbeat(id: string, attempt: number, leaseMs: number): Promise<HeartbeatResult> {
    return this.commits.run(() => extendLease(this.tools, { id, attempt }, leaseMs));
  }

  spend(id: string, attempt: number, usage: Usage): Promise<SpendResult> {
    return this.commits.run(() => spendUsage(this.tools, { id, attempt }, usage));
  }

  rejoin(id: string, attempt: number, lease: Lease): Promise<BeginResult> {
    return this.commits.run(() => rejoinAttempt(this.tools, { id, attempt }, lease));
  }

  onEvent(listener: (event: JournalEvent) => void): () => void {
    return this.#announcer.add(listener);
  }

  record(event: RecordableEvent, speaker?: AttemptName): Promise<"ok" | "stale"> {
    return this.commits.run(() => recordEvent(this.tools, event, speaker));
  }

  requestCancel(id: string, wish: StopWish): Promise<void> {
    return this.commits.run(() => requestEnd(this.tools, id, wish));
  }

  settle(id: string, attempt: number, settlement: Settlement): Promise<SettleResult> {
    return this.commits.run(() => settleAttempt(this.tools, { id, attempt }, settlement));
  }

  requeueLost(): Promise<readonly string[]> {
    return this.commits.run(() => requeueExpired(this.tools));
  }

  override async close(): Promise<void> {
    await this.commits.idle();
    bringInLog(this.database);
    this.database.close();
  }
}

/** The embedded store: one file, any number of processes. */
export class SqliteStore extends StepStore<CommitQueue> {
  constructor(database: Database, clock: Clock = systemClock) {
    super(database, {
      reader: database,
      clock,
      createQueue: (connection, hooks) => new CommitQueue(connection, hooks),
    });
  }

  /** Opens a story only if the disk has room for its end. */
  override async openStory(story: NewStory): Promise<Story> {
    keepRoomFor(this.database);
    return super.openStory(story);
  }
}

function keepRoomFor(database: Database): void {
  try {
    keepRoom(database);
  } catch (error) {
    // The process that opens the store also reserves the space.
    if (!isBusy(error)) throw explainFileTrouble(error, database.file) ?? error;
  }
}

function openStory(tools: AdmissionTools, story: NewStory): Story {
  storyIdSchema.parse(story.id);
  if (readDelegation(tools.database, story.id) !== undefined) throw journalErrors.storyExists(story.id);
  tools.journal.append({
    type: "story-opened",
    story: story.id,
    delegation: story.id,
    attempt: 0,
    data: {
      kind: story.kind,
      title: story.title,
      agent: story.agent,
      path: ["ambit", story.agent],
      sessionId: newSessionId(tools),
      limits: story.limits,
      ...dropUndefined({
        settings: story.settings?.slice(),
        scope: story.scope?.slice(),
        work: story.work,
      }),
      budgetTokens: story.budgetTokens ?? null,
      budgetMicroUsd: story.budgetMicroUsd ?? story.limits.storyMicroUsd,
    },
  });
  const row = tools.database.row("SELECT * FROM stories WHERE id = ?", [story.id]);
  if (row === undefined) throw new TypeError(`story ${story.id} was not stored`);
  return storyFromRow(row);
}
