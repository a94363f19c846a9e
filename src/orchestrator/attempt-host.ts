import type { JournalEvent } from "../contract/journal-event.ts";
import type { Offer } from "../dispatch/open-dispatcher.ts";
import { clusterErrors } from "../errors/cluster.ts";
import { orchestratorErrors } from "../errors/orchestrator.ts";
import type { Machines } from "../journal/machines.ts";
import type { Admission, Delegation, Settlement, StopWish } from "../journal/store.ts";
import { delegateAs } from "./calls/delegate-as.ts";
import { recordAnswer } from "./calls/record-answer.ts";
import { settleError } from "./calls/settle-error.ts";
import { findFullProvider } from "./delegation/find-provider.ts";
import { importRemainingWork } from "./delegation/keep-work.ts";
import { readLeaseMs } from "./delegation/lease.ts";
import { findOpenBelow, findOpenWorkers } from "./delegation/open-work.ts";
import { recordEvent } from "./delegation/record.ts";
import type { EngineCalls, GivenAnswer } from "./live/engine-calls.ts";
import { KeyedLock } from "./live/keyed-lock.ts";
import { LiveAttempts, type Caller } from "./live/live-attempts.ts";
import { Waiters } from "./live/waiters.ts";
import { KeepRunning } from "./machines/keep-running.ts";
import { KeptLeases } from "./machines/kept-leases.ts";
import { KeptPlaces } from "./machines/kept-places.ts";
import type { SentOutput } from "./machines/sent-output.ts";
import { closeDelegation } from "./merged/close-delegation.ts";
import type { RunTools } from "./ports/run-tools.ts";
import { runAttempt } from "./running/run-attempt.ts";

export interface HostParts {
  readonly tools: RunTools;
  readonly machines: Machines;
  /** Brings the tables up to the newest event. */
  readonly refresh: () => Promise<void>;
  readonly log: (line: string) => void;
  /** Called when its number of used slots has changed. */
  readonly onChange: () => void;
  /** How often the work of running agents is kept. */
  readonly keepEveryMs: number;
  readonly output: Pick<SentOutput, "begin" | "end">;
  /** See `LeaseParts`; for tests. */
  readonly neverFences?: boolean;
}

/**
 * Runs attempts on a machine of a cluster and answers the calls of their agents. It knows the coordinator only through
 * the journal: the coordinator reads there what this machine writes.
 */
export class AttemptHost implements EngineCalls {
  readonly tools: RunTools;
  readonly live: LiveAttempts = new LiveAttempts((id) => this.lendSlot(id, true), this);
  readonly externalManagers = { finish: (): void => undefined };
  readonly #parts: HostParts;
  readonly #leases: KeptLeases;
  readonly #keeping: KeepRunning;
  readonly #places: KeptPlaces;
  readonly #order = new KeyedLock();
  /** Attempts under way; true for those that hold a slot. */
  readonly #running = new Map<string, boolean>();
  /**
   * The offers of these attempts, and offers that wait until an earlier attempt of the same delegation is cleared away.
   */
  readonly #offers = new Set<string>();
  /** When the lease of each attempt under way was asked for. */
  readonly #askedMs = new Map<string, number>();
  readonly #ended = new Waiters<void>();
  readonly #answered = new Waiters<void>();
  readonly #unfollow: () => void;
  #isLeaving = false;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#places = new KeptPlaces(parts.tools);
    this.tools = {
      ...parts.tools,
      hasSession: (attempt) => this.#places.hasSession(attempt),
      isInDoubt: (id) => this.#leases.isInDoubt(id),
    };
    const { store } = parts.tools;
    this.#leases = new KeptLeases({
      store,
      leaseMs: readLeaseMs(parts.tools),
      stop: (id, reason) => this.live.stop(id, reason),
      ...(parts.neverFences === true ? { neverFences: true } : {}),
    });
    this.#keeping = new KeepRunning({
      everyMs: parts.keepEveryMs,
      listRunning: () => this.listRunning(),
      keep: (id) => this.#keepWork(id).catch(() => undefined),
    });
    this.#unfollow = store.onEvent((event) => this.#hear(event));
  }

  get used(): number {
    return [...this.#running.values()].filter(Boolean).length;
  }

  listRunning(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Runs the offered attempt, unless another machine has it already. Never throws. */
  start({ id, attempt }: Offer): void {
    const offer = `${id}.${attempt}`;
    if (this.#offers.has(offer)) return;
    this.#offers.add(offer);
    const run = async (): Promise<void> => {
      this.#setSlot(id, true);
      await this.#runOffer(id, attempt);
    };
    void this.#order
      .runInOrder(id, run)
      .catch((error: unknown) => this.#parts.log(`${offer}: ${String(error)}`))
      .finally(() => {
        this.#offers.delete(offer);
        this.#running.delete(id);
        this.#parts.onChange();
      });
  }

  /** Ends the processes and gives the attempts back; their work is kept. */
  async stopAll(): Promise<void> {
    this.#isLeaving = true;
    this.live.stopAll("replaced");
    this.tools.git.hurryImports();
    await this.whenIdle();
  }

  whenIdle(): Promise<void> {
    return this.#order.whenIdle();
  }

  async close(): Promise<void> {
    this.#unfollow();
    await this.#keeping.close();
    await this.#places.close();
    await this.#leases.close();
  }

  async read(id: string): Promise<Delegation> {
    const delegation = await this.tools.store.delegation(id);
    if (delegation !== undefined) return delegation;
    throw orchestratorErrors.delegationNotFound(id);
  }

  openStory(): Promise<string> {
    throw clusterErrors.runsElsewhere("that coordinates it");
  }

  delegate(caller: Caller, input: unknown): Promise<readonly Admission[]> {
    return delegateAs(this, caller, input);
  }

  async answer(approvalId: string, given: GivenAnswer): Promise<void> {
    await recordAnswer(this.tools, approvalId, given);
  }

  async stop(id: string, why: StopWish): Promise<void> {
    for (const one of await findOpenBelow(this.tools, await this.read(id)))
      await this.tools.store.requestCancel(one.id, why);
    await this.whenEnded(id);
  }

  async whenEnded(id: string): Promise<Delegation> {
    const ended = this.#ended.waitFor(id);
    if ((await this.read(id)).state !== "closed") await ended;
    return this.read(id);
  }

  whenAnswered(approvalId: string): Promise<void> {
    return this.#answered.waitFor(approvalId);
  }

  lendSlot(id: string, isLent: boolean): void {
    if (this.#running.has(id)) this.#setSlot(id, !isLent);
  }

  whyWaiting(): string | undefined {
    return undefined;
  }

  /** Keeps work only while its process runs: afterwards the attempt keeps its work itself. */
  async #keepWork(id: string): Promise<void> {
    const delegation = await this.read(id);
    if (delegation.state !== "running") return;
    await this.live.runWhileLive(delegation, () => importRemainingWork(this.tools, delegation));
  }

  #setSlot(id: string, isHeld: boolean): void {
    this.#running.set(id, isHeld);
    this.#parts.onChange();
  }

  #hear(event: JournalEvent): void {
    const { type, data, delegation, attempt } = event;
    if (type === "approval-answered") this.#answered.resolveAll(data.approvalId, undefined);
    if (delegation === null) return;
    if (type === "attempt-started" && data.owner === this.tools.owner) {
      this.#leases.keep(delegation, attempt, this.#askedMs.get(delegation));
      this.#parts.output.begin(delegation, attempt);
    }
    if (type === "delegation-closed") this.#ended.resolveAll(delegation, undefined);
    if (type === "cancellation-requested") this.live.stop(delegation, "cancelled");
    if (this.#places.isOver(event))
      void this.#order.runInOrder(delegation, () => this.#places.drop(delegation)).catch(() => undefined);
  }

  async #runOffer(id: string, attempt: number): Promise<void> {
    await this.#parts.refresh();
    const queued = await this.tools.store.delegation(id);
    if (queued?.state !== "queued" || queued.attempt + 1 !== attempt || queued.cancelRequested) return;
    // The account is full for this machine, too; the attempt is offered again when the provider may answer.
    if (findFullProvider(this.tools, queued) !== undefined) return;
    await this.#places.prepare(queued);
    let mayKeep = false;
    try {
      await this.#runToStep(queued, attempt);
      mayKeep = !this.#isLeaving;
    } finally {
      await this.#parts.output.end(id, attempt);
      await this.#places
        .settle(id, attempt, mayKeep)
        .catch((error: unknown) => this.#parts.log(`${id}: ${String(error)}`));
      this.#leases.drop(id);
      this.#askedMs.delete(id);
      await this.#releaseLease(id, attempt).catch(() => undefined);
    }
  }

  /** The journal does not know the end of an attempt that is still running; its lease runs out, and it is repeated. */
  async #releaseLease(id: string, attempt: number): Promise<void> {
    const now = await this.read(id);
    if (now.state !== "running" || now.attempt !== attempt) await this.#parts.machines.release(id, attempt);
  }

  async #runToStep(queued: Delegation, attempt: number): Promise<void> {
    const { id } = queued;
    this.#askedMs.set(id, performance.now());
    try {
      const step = await runAttempt(this.tools, this.live, queued);
      if (step.kind === "no-slot") return;
      if (step.kind === "close") await this.#end({ id, attempt }, step.settlement);
      else await this.#giveBack(await this.read(id), attempt);
    } catch (error) {
      if (this.#leases.isInDoubt(id)) return;
      const now = await this.read(id);
      if (now.attempt !== attempt || now.state !== "running") throw error;
      if (this.#isLeaving) return this.#giveBack(now, attempt);
      await this.#end({ id, attempt }, await settleError(this, now, error));
    }
  }

  /** The attempt was stopped because this machine leaves: the next attempt may begin at once. */
  async #giveBack(delegation: Delegation, attempt: number): Promise<void> {
    if (!this.#isLeaving || delegation.state !== "running" || delegation.attempt !== attempt) return;
    const data = { reason: "its machine was stopped", machine: true } as const;
    await recordEvent(this.tools, delegation, { type: "attempt-lost", data });
  }

  /**
   * A manager ends after its workers, which may be on other machines. An attempt that was lost ends nothing: the workers
   * are those of its successor.
   */
  async #end(own: Caller, settlement: Settlement): Promise<void> {
    await this.#parts.refresh();
    const delegation = await this.read(own.id);
    if (!isAtWork(delegation, own)) return;
    const why = { reason: `${own.id} has ended`, by: "ambit", speaker: own };
    const workers = await findOpenWorkers(this.tools, delegation);
    await Promise.all(workers.map((worker) => this.stop(worker.id, why)));
    const now = await this.read(own.id);
    if (isAtWork(now, own)) await closeDelegation(this.tools, now, settlement);
  }
}

/** Whether the delegation still waits for the end of this attempt. */
function isAtWork({ state, attempt }: Delegation, own: Caller): boolean {
  return attempt === own.attempt && (state === "running" || state === "parked");
}
