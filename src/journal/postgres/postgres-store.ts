import type { Clock } from "../../base/clock.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import { clusterErrors } from "../../errors/cluster.ts";
import type { AttemptName, HeartbeatResult, RecordableEvent } from "../model/store.ts";
import { judgeHeartbeat, requeueExpired } from "../sqlite/attempts.ts";
import type { Database } from "../sqlite/database.ts";
import { readHead } from "../sqlite/read-head.ts";
import { readStanding } from "../sqlite/rows.ts";
import { StepStore } from "../sqlite/sqlite-store.ts";
import type { ClusterAddress } from "./address.ts";
import { checkServer } from "./check-server.ts";
import { ClusterCommits } from "./cluster-commits.ts";
import { Heartbeats } from "./heartbeats.ts";
import { Leadership, type LeadOptions } from "./leadership.ts";
import { PgSession } from "./pg-session.ts";
import { type HeldLease, type Machine, RemoteJournal } from "./remote-journal.ts";
import { clusterVersion } from "./schema.ts";

export interface ClusterPlace {
  readonly address: ClusterAddress;
  readonly project: string;
  /** The machine that writes; a process that only brings its tables up needs none. */
  readonly machine?: Machine | undefined;
  /** For a process that coordinates the project, not for one that writes a step and leaves. */
  readonly leads?: LeadOptions | undefined;
  /** Called before an event is recorded. */
  readonly beforeRecord?: (event: RecordableEvent) => Promise<void>;
  /** Called when an event was refused because its story has ended. */
  readonly onTooLate?: (event: RecordableEvent) => Promise<void>;
  /** Replaces the database's time; for tests. */
  readonly clock?: Clock;
  /** See `ClusterTools`; for tests. */
  readonly repeatsBlindly?: boolean;
}

interface LocalTables {
  readonly writer: Database;
  readonly reader: Database;
}

/** A step waits for the lock behind those of all other machines. */
const LOCK_MS = 30_000;
/** How often the journal is read if no notice came. */
const LOOK_MS = 5000;

/**
 * The store of a cluster: events are in PostgreSQL, their tables on each machine. Reads are as new as the last notice;
 * every decision is made on the newest event, under the lock.
 */
export class PostgresStore extends StepStore<ClusterCommits> {
  readonly #writer: Database;
  readonly #session: PgSession;
  /** Heartbeats and notices must not wait for a transaction. */
  readonly #side: PgSession;
  readonly #beside: RemoteJournal;
  readonly #nowMs: () => number | undefined;
  readonly #beats: Heartbeats;
  readonly #machine: Machine | undefined;
  readonly #leadership: Leadership | undefined;
  readonly #around: Pick<ClusterPlace, "beforeRecord" | "onTooLate">;
  #looking: NodeJS.Timeout | undefined;

  constructor({ writer, reader }: LocalTables, place: ClusterPlace) {
    const { address, project, clock, repeatsBlindly = false } = place;
    const session = new PgSession(address, { answerMs: LOCK_MS });
    const server = new ServerClock();
    const learnTime = (serverMs: number): void => server.learn(serverMs);
    super(writer, {
      reader,
      clock: clock ?? server,
      createQueue: (database, hooks) =>
        new ClusterCommits(database, hooks, {
          remote: new RemoteJournal(session, project),
          learnTime,
          machine: place.machine?.id,
          readEpoch: () => this.#leadership?.epoch,
          repeatsBlindly,
        }),
    });
    this.#machine = place.machine;
    this.#around = place;
    this.#writer = writer;
    this.#session = session;
    this.#nowMs = () => clock?.wallMs();
    this.#side = new PgSession(address, {
      onNotice: (payload) => {
        const [about, seq] = payload.split(" ");
        if (about === project) void this.#reach(Number(seq)).catch(() => undefined);
      },
    });
    this.#beside = new RemoteJournal(this.#side, project);
    this.#leadership = place.leads === undefined ? undefined : new Leadership(this.#beside, place.leads);
    this.#beats = new Heartbeats({
      remote: this.#beside,
      nowMs: this.#nowMs,
      reach: (seq) => this.#reach(seq),
      judge: (key) => judgeHeartbeat({ database: reader }, key),
    });
  }

  /** Brings the tables of this machine up to the journal, after a look at the server. */
  async start(): Promise<void> {
    const { schema } = await checkServer(this.#session);
    if (schema < clusterVersion) throw clusterErrors.notSetUp(this.#session.address.place);
    await this.#claimRole();
    await this.commits.pull();
  }

  /** Two machines must not run one project: each would take the other's workers for leftovers. */
  async #claimRole(): Promise<void> {
    const machine = this.#machine;
    if (machine === undefined) return;
    const holder = await this.#beside.claim(machine, "ask");
    if (holder === undefined) throw clusterErrors.notSetUp(this.#session.address.place);
    if (holder.id !== machine.id) throw clusterErrors.runsElsewhere(holder.name);
    await this.#leadership?.begin(machine.id);
  }

  refresh(): Promise<void> {
    return this.commits.pull();
  }

  override async record(event: RecordableEvent, speaker?: AttemptName): Promise<"ok" | "stale"> {
    const { beforeRecord, onTooLate } = this.#around;
    await beforeRecord?.(event);
    const result = await super.record(event, speaker);
    if (result === "stale" && (await this.delegation(event.story))?.state === "closed")
      await onTooLate?.(event);
    return result;
  }

  override heartbeat(id: string, attempt: number, leaseMs: number): Promise<HeartbeatResult> {
    return this.#beats.send({ id, attempt }, leaseMs);
  }

  override async requeueLost(isOf: (owner: string) => boolean = () => true): Promise<readonly string[]> {
    const all = await this.#beside.expiredLeases(this.#nowMs());
    const expired = all.filter(({ owner }) => isOf(owner));
    if (!expired.some((lease) => isRunning(this.database, lease))) return [];
    return this.commits.run(() => {
      const { database } = this.tools;
      // The leases that run out are those of PostgreSQL; the local ones are not extended.
      database.run("DELETE FROM leases");
      for (const lease of expired.filter((each) => isRunning(database, each)))
        database.run("INSERT INTO leases (delegation, attempt, owner, expires_ms) VALUES (?, ?, ?, ?)", [
          lease.delegation,
          lease.attempt,
          lease.owner,
          Math.floor(lease.expires),
        ]);
      return requeueExpired(this.tools);
    });
  }

  /** Listens to other machines from the first listener on. */
  override onEvent(listener: (event: JournalEvent) => void): () => void {
    if (this.#looking === undefined) {
      this.#looking = setInterval(() => this.#look(), LOOK_MS);
      this.#looking.unref();
      this.#look();
    }
    return super.onEvent(listener);
  }

  override async close(): Promise<void> {
    clearInterval(this.#looking);
    // The role is given back after the last step; notices end before the tables are closed.
    await this.commits.idle();
    await this.#leadership?.end();
    await this.#side.close();
    await super.close();
    this.#writer.close();
    await this.#session.close();
  }

  /** Another process of this machine may have brought the tables up to date; its events must still be announced here. */
  #reach(seq: number): Promise<void> {
    return readHead(this.database).seq < seq ? this.commits.pull() : this.commits.tell();
  }

  /** An error here is reported to the caller of the next step. The question keeps the connection that listens open. */
  #look(): void {
    void this.#side
      .run("SELECT 1")
      .then(() => this.commits.pull())
      .catch(() => undefined);
  }
}

function isRunning(database: Database, { delegation, attempt }: HeldLease): boolean {
  const standing = readStanding(database, delegation);
  return standing?.state === "running" && standing.attempt === attempt;
}

/** The database's time, learned with every lock and counted on by this process in between. */
class ServerClock implements Clock {
  #serverMs = Date.now();
  #learnedAt = performance.now();

  learn(serverMs: number): void {
    this.#serverMs = serverMs;
    this.#learnedAt = performance.now();
  }

  wallMs(): number {
    return this.#serverMs + this.monotonicMs() - this.#learnedAt;
  }

  monotonicMs(): number {
    return performance.now();
  }
}
