import { systemClock, type Clock } from "../base/clock.ts";
import { DelegationError } from "../base/delegation-error.ts";
import { chooseNext } from "./choose-next.ts";
import { nextTurn } from "./choosing/floor.ts";
import type { Blocked, FullProvider, Job, SlotLimits } from "./job.ts";
import type { RateGate } from "./rate-gate.ts";
import { Endings } from "./running/endings.ts";
import { runToEnd, type RunEnd, type RunJob, type Settled } from "./running/run-end.ts";
import { systemTimer, Wake, type SetTimer } from "./running/wake.ts";
import { whyWaiting, type Situation } from "./why-waiting.ts";

export type { RunEnd, RunJob, SetTimer, Settled };

export interface RunQueueOptions {
  readonly limits: SlotLimits;
  readonly clock?: Clock;
  readonly setTimer?: SetTimer;
  /** Tells whose account is full; asked at each choice. */
  readonly gate?: Pick<RateGate, "closedUntil">;
}

interface Entry {
  readonly job: Job;
  readonly run: RunJob;
}

interface RunningEntry extends Entry {
  readonly abort: AbortController;
  readonly isLent: boolean;
}

/**
 * Starts what `chooseNext` chooses, whenever anything changes. Jobs added in one go are chosen among together. A job
 * keeps its slot until its run has settled, cancelled or not; no id ever runs twice at a time.
 */
export class RunQueue {
  readonly #clock: Clock;
  readonly #wake: Wake;
  readonly #gate: RunQueueOptions["gate"];
  readonly #waiting = new Map<string, Entry>();
  readonly #running = new Map<string, RunningEntry>();
  readonly #endings = new Endings();
  readonly #passedOver = new Map<string, number>();
  readonly #reported = new Map<string, string>();
  readonly #idleListeners: (() => void)[] = [];
  readonly #blockedListeners: ((blocked: Blocked) => void)[] = [];
  #turns: ReadonlyMap<string, number> = new Map();
  #limits: SlotLimits;
  #isChosenSoon = false;
  #isIdle = true;

  constructor({ limits, clock = systemClock, setTimer = systemTimer, gate }: RunQueueOptions) {
    this.#limits = limits;
    this.#gate = gate;
    this.#clock = clock;
    this.#wake = new Wake({ clock, setTimer, action: () => this.#choose() });
  }

  /** Refuses an id that waits or runs; one that is parked or has ended may come again. */
  add(job: Job, run: RunJob): void {
    if (this.#waiting.has(job.id) || this.#running.has(job.id)) throw alreadyThere(job.id);
    this.#endings.open(job.id, job.group);
    this.#waiting.set(job.id, { job, run });
    this.#chooseSoon();
  }

  /** Tells of a job that ended before this queue was made, so that others can depend on it. */
  remember(id: string, group: string, settled: Settled): void {
    if (this.#waiting.has(id) || this.#running.has(id)) throw alreadyThere(id);
    this.#endings.open(id, group);
    this.#settle(id, settled);
  }

  /** Tells of a job that is open but not to be started yet: who depends on it waits, as for a parked one. */
  expect(id: string, group: string): void {
    if (this.#waiting.has(id) || this.#running.has(id) || this.#endings.known().has(id)) return;
    this.#endings.open(id, group);
    this.#endings.park(id);
  }

  /** Asks a running job to stop, ends one that waits or is parked; false when there is nothing to cancel. */
  cancel(id: string): boolean {
    const running = this.#running.get(id);
    if (running !== undefined) {
      running.abort.abort();
      return true;
    }
    if (!this.#waiting.delete(id) && !this.#endings.isParked(id)) return false;
    this.#settle(id, { kind: "cancelled" });
    return true;
  }

  /** Lets a job start without what it was reported to be blocked on; false when it does not wait. */
  release({ id, on }: Pick<Blocked, "id" | "on">): boolean {
    const entry = this.#waiting.get(id);
    if (entry === undefined) return false;
    const dependsOn = entry.job.dependsOn.filter((dependency) => !on.includes(dependency));
    this.#waiting.set(id, { ...entry, job: { ...entry.job, dependsOn } });
    this.#chooseSoon();
    return true;
  }

  /** Holds from now on for starting; what runs above a lowered limit runs on. */
  setLimits(limits: SlotLimits): void {
    this.#limits = limits;
    this.#chooseSoon();
  }

  /** Called each time nothing waits and nothing runs any more. */
  onIdle(listener: () => void): void {
    this.#idleListeners.push(listener);
  }

  /** Called once for each reason why a job cannot start: then `release` it or `cancel` it. */
  onBlocked(listener: (blocked: Blocked) => void): void {
    this.#blockedListeners.push(listener);
  }

  /** How a job ends, or has ended; throws for an id that was never added. */
  async whenSettled(id: string): Promise<Settled> {
    const settled = this.#endings.whenSettled(id);
    if (settled === undefined) throw neverAdded(id);
    return settled;
  }

  /** A running job that only waits lets others use its slot; given back, it counts again at once. */
  lendSlot(id: string, isLent: boolean): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.set(id, { ...running, isLent });
    this.#chooseSoon();
  }

  /** Why a job does not run; undefined when it does, or is not here. */
  whyWaiting(id: string): string | undefined {
    const job = this.#waiting.get(id)?.job;
    return job === undefined ? undefined : whyWaiting(job, this.#situation());
  }

  waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Drops what is remembered about a group's ended jobs, once nobody will depend on them. */
  forget(group: string): void {
    this.#endings.forget(group);
    this.#turns = new Map([...this.#turns].filter(([name]) => name !== group));
  }

  /** Cancels everything and resolves when no run is left. */
  async close(): Promise<void> {
    const open = this.running();
    for (const id of [...this.waiting(), ...this.#endings.parked(), ...open]) this.cancel(id);
    this.#wake.clear();
    await Promise.all(open.map((id) => this.whenSettled(id)));
  }

  #situation(): Situation {
    return {
      queue: {
        jobs: Array.from(this.#waiting.values(), ({ job }) => job),
        known: this.#endings.known(),
        nowMs: this.#clock.monotonicMs(),
        passedOver: this.#passedOver,
        turns: this.#turns,
        full: this.#fullProviders(),
      },
      running: Array.from(this.#running.values(), ({ job, isLent }) =>
        isLent ? { ...job, holdsSlot: false } : job,
      ),
      limits: this.#limits,
    };
  }

  #fullProviders(): ReadonlyMap<string, FullProvider> {
    const nowMs = this.#clock.monotonicMs();
    const full = new Map<string, FullProvider>();
    for (const { job } of this.#waiting.values()) {
      const untilMs = job.provider === undefined ? undefined : this.#gate?.closedUntil(job.provider, nowMs);
      if (job.provider === undefined || untilMs === undefined) continue;
      full.set(job.provider, { untilMs, untilWallMs: this.#clock.wallMs() + untilMs - nowMs });
    }
    return full;
  }

  /** Not at once, so that jobs added one after the other are compared with each other. */
  #chooseSoon(): void {
    if (this.#isChosenSoon) return;
    this.#isChosenSoon = true;
    queueMicrotask(() => {
      this.#isChosenSoon = false;
      this.#choose();
    });
  }

  #choose(): void {
    const { queue, running, limits } = this.#situation();
    const choice = chooseNext(queue, running, limits);
    for (const id of choice.passedOver) this.#passedOver.set(id, (this.#passedOver.get(id) ?? 0) + 1);
    this.#wake.at(choice.wakeAtMs);
    for (const id of choice.start) this.#start(id);
    this.#report(choice.blocked);
    this.#noticeIdle();
  }

  #start(id: string): void {
    const entry = this.#waiting.get(id);
    if (entry === undefined) return;
    const running = { ...entry, abort: new AbortController(), isLent: false };
    this.#waiting.delete(id);
    this.#passedOver.delete(id);
    this.#reported.delete(id);
    this.#running.set(id, running);
    if (entry.job.holdsSlot) this.#turns = nextTurn(this.#turns, entry.job.group);
    void this.#run(running);
  }

  async #run({ job, run, abort }: RunningEntry): Promise<void> {
    const ran = await runToEnd(run, abort.signal);
    this.#running.delete(job.id);
    // Cancelled between its end and now: it must not be parked for somebody who has already left.
    const goesOn = ran.kind === "parked" || ran.kind === "again";
    const end: RunEnd = goesOn && abort.signal.aborted ? { kind: "cancelled" } : ran;
    if (end.kind === "again") return this.add({ ...job, notBeforeMs: end.notBeforeMs }, run);
    if (end.kind !== "parked") return this.#settle(job.id, end);
    this.#endings.park(job.id);
    return this.#chooseSoon();
  }

  #settle(id: string, settled: Settled): void {
    this.#passedOver.delete(id);
    this.#reported.delete(id);
    this.#endings.settle(id, settled);
    this.#chooseSoon();
  }

  #report(blocked: readonly Blocked[]): void {
    for (const problem of blocked) {
      const reason = `${problem.kind} ${problem.on.join(" ")}`;
      if (this.#reported.get(problem.id) === reason) continue;
      this.#reported.set(problem.id, reason);
      for (const listener of this.#blockedListeners) listener(problem);
    }
  }

  #noticeIdle(): void {
    const wasIdle = this.#isIdle;
    this.#isIdle = this.#running.size === 0 && this.#waiting.size === 0;
    if (this.#isIdle && !wasIdle) for (const listener of this.#idleListeners) listener();
  }
}

function alreadyThere(id: string): DelegationError {
  return new DelegationError({
    code: "DUPLICATE_ID",
    message: `${id} already waits or runs.`,
    recommendation: "Wait until it has ended, or cancel it, before adding it again.",
  });
}

function neverAdded(id: string): DelegationError {
  return new DelegationError({
    code: "DELEGATION_NOT_FOUND",
    message: `${id} was never added to the queue, or its group was forgotten.`,
    recommendation: "Add it first, and ask before the group is forgotten.",
  });
}
