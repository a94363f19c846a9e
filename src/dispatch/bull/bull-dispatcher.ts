import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Dispatcher, Offer } from "./dispatcher.ts";

/** The parts of BullMQ's queue and worker that are used, whichever database is behind them. */
export interface BullParts {
  readonly queue: {
    add(
      name: string,
      data: Offer,
      options: { jobId: string; priority: number; removeOnComplete: true; removeOnFail: true },
    ): Promise<unknown>;
    close(): Promise<void>;
  };
  readonly openWorker: () => BullWorker;
  readonly answerMs: number;
  readonly close: () => Promise<unknown>;
}

export interface BullWorker {
  getNextJob(token: string): Promise<BullJob | undefined>;
  startStalledCheckTimer(): Promise<void>;
  close(force: boolean): Promise<void>;
  /** Ends the wait for the next job, which a forced close does not. */
  readonly backend: { disconnectBlocking(waits: boolean): Promise<void> };
}

interface BullJob {
  readonly data: unknown;
  moveToCompleted(value: string, token: string, fetchNext: boolean): Promise<unknown>;
}

/** Some times what a worker is told to wait for a job. */
const MAX_WAIT_MS = 6000;
/** How long a part of a dispatcher may take to close. */
const END_MS = 2000;
/** BullMQ's number for an offer of priority 0. */
const MIDDLE = 1000;

/** Offers are jobs of BullMQ that are completed as soon as they are taken, and removed then. */
export class BullDispatcher implements Dispatcher {
  readonly #parts: BullParts;
  readonly #token = randomUUID();
  #worker: BullWorker | undefined;
  #isClosed = false;

  constructor(parts: BullParts) {
    this.#parts = parts;
  }

  async offer({ id, attempt, priority }: Offer): Promise<void> {
    const options = {
      jobId: `${id}.${attempt}`,
      priority: toBullPriority(priority),
      removeOnComplete: true,
      removeOnFail: true,
    } as const;
    const { queue, answerMs } = this.#parts;
    const added = queue.add("attempt", { id, attempt, priority }, options);
    // Redis that is away keeps it waiting until it is back.
    const late = delay(answerMs, "late" as const, { ref: false });
    if ((await Promise.race([added, late])) !== "late") return;
    added.catch(() => undefined);
    throw new Error(`the queue has not answered for ${answerMs} ms`);
  }

  async take(): Promise<Offer | undefined> {
    if (this.#isClosed) return undefined;
    const worker = (this.#worker ??= this.#openWorker());
    const next = worker.getNextJob(this.#token);
    const job = await Promise.race([next, delay(MAX_WAIT_MS, "late" as const, { ref: false })]);
    if (job === "late") this.#replaceWorker(worker, next);
    if (job === undefined || job === "late") return undefined;
    // The job is completed before the attempt begins; an offer that is lost in between is made again.
    await job.moveToCompleted("", this.#token, false);
    return readOffer(job.data);
  }

  /** What does not end in time is left: a connection that fell silent may never say that it has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const { queue, close } = this.#parts;
    const worker = this.#worker;
    const parts = [async () => worker && closeWorker(worker), () => queue.close()];
    for (const end of parts)
      await Promise.race([end().catch(() => undefined), delay(END_MS, undefined, { ref: false })]);
    await close();
  }

  /**
   * Once a connection was lost, BullMQ waits for an hour for the next job, and only a close ends that. A job that comes in
   * between is an offer that was lost: it is made again.
   */
  #replaceWorker(worker: BullWorker, next: Promise<BullJob | undefined>): void {
    this.#worker = undefined;
    void next.then((job) => job?.moveToCompleted("", this.#token, false)).catch(() => undefined);
    void closeWorker(worker).catch(() => undefined);
  }

  /** A machine that dies between taking and completing leaves a job that cannot be added again until it counts as stalled. */
  #openWorker(): BullWorker {
    const worker = this.#parts.openWorker();
    void worker.startStalledCheckTimer().catch(() => undefined);
    return worker;
  }
}

/** The close is forced, so that it does not wait for a worker that waits for its next job: for an hour, if all goes wrong. */
async function closeWorker(worker: BullWorker): Promise<void> {
  void worker.backend.disconnectBlocking(false).catch(() => undefined);
  await worker.close(true);
}

/** BullMQ takes the lowest first, from 1 on. */
function toBullPriority(priority: number): number {
  return Math.min(2 * MIDDLE, Math.max(1, MIDDLE - priority));
}

/** Returns undefined for a job that another program added. */
function readOffer(data: unknown): Offer | undefined {
  if (typeof data !== "object" || data === null || !("id" in data) || !("attempt" in data)) return undefined;
  const { id, attempt } = data;
  if (typeof id !== "string" || typeof attempt !== "number") return undefined;
  // A coordinator of an earlier version names no priority.
  const priority = "priority" in data && typeof data.priority === "number" ? data.priority : 0;
  return { id, attempt, priority };
}
