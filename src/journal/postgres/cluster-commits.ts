import type { Database } from "../sqlite/database.ts";
import { type CommitHooks, CommitQueue, type Job } from "../sqlite/commit-queue.ts";
import { readHead } from "../sqlite/read-head.ts";
import { readInteger, readText, textOrNull } from "../sqlite/rows.ts";
import { foldEvents, requireSameHead } from "./fold-events.ts";
import { isLost, repeatWhileLost } from "./pg-errors.ts";
import { type AppendBatch, type HeldLease, type News, PAGE, type RemoteJournal } from "./remote-journal.ts";

export interface ClusterTools {
  readonly remote: RemoteJournal;
  readonly learnTime: (serverMs: number) => void;
  /** The machine that runs the project's work: its steps are refused once another one has taken over. */
  readonly machine: string | undefined;
  /** The epoch of a process that coordinates the project. */
  readonly readEpoch: () => number | undefined;
  /** Repeats a step after a lost connection without checking what is stored. Tests use it to remove that defence. */
  readonly repeatsBlindly?: boolean;
}

type Errors = ReadonlyMap<Job, unknown>;

/**
 * Decides each group of jobs on this machine's tables while it holds the lock of the project's head in PostgreSQL, and
 * stores the appended events there. The local transaction is committed last: PostgreSQL has the truth.
 */
export class ClusterCommits extends CommitQueue {
  readonly #tools: ClusterTools;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(database: Database, hooks: CommitHooks, tools: ClusterTools) {
    super(database, hooks);
    this.#tools = tools;
  }

  /** Brings the tables up to the journal. */
  pull(): Promise<void> {
    return this.#inTurn(() => repeatWhileLost(() => this.#pullPages())).then(() => this.hooks.committed());
  }

  /** Tells listeners about events that are in the tables already. */
  tell(): Promise<void> {
    return this.#inTurn(async () => this.hooks.committed());
  }

  override async idle(): Promise<void> {
    await super.idle();
    await this.#turn;
  }

  protected override transact(jobs: readonly Job[]): Promise<Errors> {
    return this.#inTurn(() => repeatWhileLost(() => this.#runLocked(jobs)));
  }

  /** Runs actions one after the other, because only one local connection writes. */
  #inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(action);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #runLocked(jobs: readonly Job[]): Promise<Errors> {
    const { remote } = this.#tools;
    const news = await this.#lock();
    let decided: Decided | undefined;
    try {
      await this.begin();
      decided = this.#decide(jobs, news);
      await (decided.batch.events.length === 0 ? remote.release() : remote.append(decided.batch));
      this.#commitLocally();
      return decided.errors;
    } catch (error) {
      if (this.database.isInTransaction) this.database.execute("ROLLBACK");
      if (!isLost(error)) await remote.release().catch(() => undefined);
      if (decided === undefined || !isLost(error) || !(await this.#wasStored(decided.batch))) throw error;
      // The next read of the caller must see the step.
      await repeatWhileLost(() => this.#pullPages());
      return decided.errors;
    }
  }

  /** Takes the lock once the missing events fit into one answer. */
  async #lock(): Promise<News> {
    const { remote, learnTime } = this.#tools;
    for (;;) {
      const news = await remote.lock(readHead(this.database).seq);
      learnTime(news.nowMs);
      if (news.events.length < PAGE) return news;
      await remote.release();
      await this.#pullPages();
    }
  }

  #decide(jobs: readonly Job[], news: News): Decided {
    const { place } = this.#tools.remote;
    requireSameHead(foldEvents(this.database, news, place), news, place);
    const errors = this.runAll(jobs);
    const { machine, readEpoch } = this.#tools;
    return {
      errors,
      batch: { ...collectBatch(this.database, news.head.seq), machine, epoch: readEpoch() },
    };
  }

  /**
   * If this fails, for example on a full disk, the step is stored anyway, and the tables are brought up to date later.
   */
  #commitLocally(): void {
    try {
      this.commit();
    } catch {
      this.hooks.restart();
    }
  }

  /**
   * After a lost connection it is unknown whether the server has committed. Once we hold the lock again, the commit has
   * happened or never will: the event with our last number is ours, or it is not.
   */
  async #wasStored(batch: AppendBatch): Promise<boolean> {
    const last = batch.events.at(-1);
    if (last === undefined || this.#tools.repeatsBlindly === true) return false;
    const { remote } = this.#tools;
    return repeatWhileLost(async () => {
      await remote.lock(batch.after + batch.events.length);
      const hash = await remote.hashAt(batch.after + batch.events.length);
      await remote.release();
      return hash === last.hash;
    });
  }

  async #pullPages(): Promise<void> {
    const { remote } = this.#tools;
    for (;;) {
      const here = readHead(this.database);
      const news = await remote.readAfter(here.seq);
      if (news.events.length === 0) return requireSameHead(here, news, remote.place);
      await this.begin();
      try {
        foldEvents(this.database, news, remote.place);
        this.commit();
      } catch (error) {
        if (this.database.isInTransaction) this.database.execute("ROLLBACK");
        throw error;
      }
      if (news.events.length < PAGE) return;
    }
  }
}

interface Decided {
  readonly errors: Errors;
  readonly batch: AppendBatch;
}

/**
 * Collects the events that the jobs of the current transaction appended, and the leases that began or ended with them.
 */
function collectBatch(database: Database, after: number): AppendBatch {
  const rows = database.rows("SELECT delegation, body, hash FROM events WHERE seq > ? ORDER BY seq", [after]);
  const touched = new Set(rows.flatMap((row) => textOrNull(row, "delegation") ?? []));
  const leases: HeldLease[] = [];
  const ended: string[] = [];
  for (const id of touched) {
    if (!isHeld(database, id)) ended.push(id);
    else if (beganIn(database, after, id)) leases.push(...readLease(database, id));
  }
  const events = rows.map((row) => ({ body: readText(row, "body"), hash: readText(row, "hash") }));
  return { after, events, leases, ended };
}

/** A delegation that waits in the queue or has ended has no owner. */
function isHeld(database: Database, id: string): boolean {
  const state = database.text("SELECT state AS value FROM delegations WHERE id = ?", [id]);
  return state !== "queued" && state !== "closed";
}

/** Leases are extended without these tables, so that only the beginning of one is known here. */
function beganIn(database: Database, after: number, id: string): boolean {
  const sql =
    "SELECT count(*) AS value FROM events WHERE seq > ? AND delegation = ? AND type = 'attempt-started'";
  return database.number(sql, [after, id]) > 0;
}

function readLease(database: Database, id: string): readonly HeldLease[] {
  return database
    .rows("SELECT attempt, owner, expires_ms FROM leases WHERE delegation = ?", [id])
    .map((row) => ({
      delegation: id,
      attempt: readInteger(row, "attempt"),
      owner: readText(row, "owner"),
      expires: readInteger(row, "expires_ms"),
    }));
}
