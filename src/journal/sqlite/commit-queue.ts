import { setTimeout as delay } from "node:timers/promises";
import { explainFileTrouble, isDiskFull } from "../../base/file-trouble.ts";
import { journalErrors } from "../../errors/journal.ts";
import { isBusy, type Database } from "./database.ts";
import { restartLog } from "./reserve.ts";

export interface Job {
  readonly work: () => unknown;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

export interface CommitHooks {
  /** Runs at the start of each transaction and after each undone job. */
  readonly restart: () => void;
  readonly committed: () => void;
}

const GIVE_UP_MS = 30_000;
const TURN_MS = 100;

/**
 * Groups all jobs of one tick into one transaction: a hundred concurrent steps share one fsync, and a single step
 * does not wait. A job that throws is undone alone; its neighbours commit.
 */
export class CommitQueue {
  protected readonly database: Database;
  protected readonly hooks: CommitHooks;
  #waiting: Job[] = [];
  #flushing: Promise<void> | undefined;

  constructor(database: Database, hooks: CommitHooks) {
    this.database = database;
    this.hooks = hooks;
    database.execute(`PRAGMA busy_timeout = ${TURN_MS}`);
  }

  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: { value: T } | undefined;
      this.#waiting.push({
        work: () => (result = { value: work() }),
        done: () => (result === undefined ? reject(new Error("job did not run")) : resolve(result.value)),
        failed: reject,
      });
      this.#flushing ??= Promise.resolve().then(() => this.#flush());
    });
  }

  /** Resolves when no job is waiting. */
  async idle(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting;
      this.#waiting = [];
      try {
        settleAll(jobs, await this.transact(jobs));
        this.hooks.committed();
      } catch (error) {
        const told = explainFileTrouble(error, this.database.file) ?? error;
        for (const job of jobs) job.failed(told);
      }
    }
    this.#flushing = undefined;
  }

  /** On a full disk, uses the space reserved inside the store. Returns the errors by job. */
  protected async transact(jobs: readonly Job[]): Promise<ReadonlyMap<Job, unknown>> {
    try {
      return await this.#runOnce(jobs);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      restartLog(this.database);
      return this.#runOnce(jobs);
    }
  }

  async #runOnce(jobs: readonly Job[]): Promise<ReadonlyMap<Job, unknown>> {
    await this.begin();
    const errors = this.runAll(jobs);
    this.commit();
    return errors;
  }

  /**
   * SQLite's own busy handler blocks the event loop and is unfair, so it gets a short turn, and we wait between turns
   * with jitter.
   */
  protected async begin(): Promise<void> {
    const deadline = performance.now() + GIVE_UP_MS;
    for (;;) {
      try {
        this.database.execute("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > deadline) throw journalErrors.storeBusy(GIVE_UP_MS / 1000, error);
      }
      await delay(1 + Math.random() * 20);
    }
  }

  protected commit(): void {
    try {
      this.database.execute("COMMIT");
    } catch (error) {
      if (this.database.isInTransaction) this.database.execute("ROLLBACK");
      throw error;
    }
  }

  /** Runs each job inside its own savepoint; returns the errors by job. */
  protected runAll(jobs: readonly Job[]): Map<Job, unknown> {
    const errors = new Map<Job, unknown>();
    this.hooks.restart();
    for (const job of jobs) {
      this.database.execute("SAVEPOINT job");
      try {
        job.work();
      } catch (error) {
        // After a disk error SQLite has undone the whole transaction by itself.
        if (!this.database.isInTransaction) throw error;
        errors.set(job, error);
        this.database.execute("ROLLBACK TO job");
        this.hooks.restart();
      }
      this.database.execute("RELEASE job");
    }
    return errors;
  }
}

function settleAll(jobs: readonly Job[], errors: ReadonlyMap<Job, unknown>): void {
  for (const job of jobs) {
    if (errors.has(job)) job.failed(errors.get(job));
    else job.done(undefined);
  }
}
