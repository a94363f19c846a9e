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
  readonly openWorker: () => OpenWorker;
  readonly answerMs: number;
  readonly close: () => Promise<unknown>;
}

export interface OpenWorker {
  readonly worker: BullWorker;
  /** Gives its connections up, so that the next worker gets new ones: one that fell silent would be used again. */
  readonly abandonConnections: () => Promise<void>;
}

export interface BullWorker {
  getNextJob(token: string): Promise<BullJob | undefined>;
  startStalledCheckTimer(): Promise<void>;
  close(force: boolean): Promise<void>;
  on(event: "error", listener: () => void): unknown;
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
  #open: OpenWorker | undefined;
  /** Its worker has failed, or reported an error, since it was opened. */
  #hasFailed = false;
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
    if (this.#hasFailed && this.#open !== undefined) this.#replaceWorker(this.#open);
    const open = (this.#open ??= this.#openWorker());
    const next = open.worker.getNextJob(this.#token);
    // One that was opened while the server was away repeats that error for ever.
    next.catch(() => (this.#hasFailed = true));
    const job = await Promise.race([next, delay(MAX_WAIT_MS, "late" as const, { ref: false })]);
    if (job === "late") this.#replaceWorker(open, next);
    if (job === undefined || job === "late") return undefined;
    // The job is completed before the attempt begins; an offer that is lost in between is made again.
    await job.moveToCompleted("", this.#token, false);
    return readOffer(job.data);
  }

  /** What does not end in time is left: a connection that fell silent may never say that it has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const { queue, close } = this.#parts;
    const worker = this.#open?.worker;
    const parts = [async () => worker && closeWorker(worker), () => queue.close()];
    for (const end of parts)
      await Promise.race([end().catch(() => undefined), delay(END_MS, undefined, { ref: false })]);
    await close();
  }

  /**
   * Once a connection was lost, BullMQ waits for an hour for the next job, and only a close ends that; of a connection that
   * fell silent it asks again and again. A job that comes in between is an offer that was lost: it is made again.
   */
  #replaceWorker({ worker, abandonConnections }: OpenWorker, next?: Promise<BullJob | undefined>): void {
    this.#open = undefined;
    void next?.then((job) => job?.moveToCompleted("", this.#token, false)).catch(() => undefined);
    void closeWorker(worker).catch(() => undefined);
    void abandonConnections().catch(() => undefined);
  }

  /** A machine that dies between taking and completing leaves a job that cannot be added again until it counts as stalled. */
  #openWorker(): OpenWorker {
    const open = this.#parts.openWorker();
    this.#hasFailed = false;
    open.worker.on("error", () => {
      if (this.#open === open) this.#hasFailed = true;
    });
    void open.worker.startStalledCheckTimer().catch(() => undefined);
    return open;
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
