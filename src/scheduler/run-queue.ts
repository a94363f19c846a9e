import { systemClock, type Clock } from "../base/clock.ts";
import { schedulerErrors } from "../errors/scheduler.ts";
import { chooseNext } from "./choosing/choose-next.ts";
import { recordTurn } from "./choosing/floor.ts";
import type { Blocked, FullProvider, Job, SlotLimits } from "./choosing/job.ts";
import type { RateGate } from "./rate-gate.ts";
import { Endings } from "./running/endings.ts";
import { runToEnd, type RunEnd, type RunJob, type Settled } from "./running/run-end.ts";
import { explainWait, type Situation } from "./choosing/why-waiting.ts";

export type { Job, RunEnd, RunJob, SetTimer, Settled, SlotLimits };

export interface RunQueueOptions {
  readonly limits: SlotLimits;
  readonly clock?: Clock;
  readonly setTimer?: SetTimer;
  /** Says which accounts are full; asked at each choice. */
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

/** A Node timer with a longer delay would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Starts the jobs that `chooseNext` chooses, whenever anything changes. Jobs added together compete together. A job keeps
 * its slot until its run has settled, cancelled or not; no id ever runs twice at a time.
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
    this.#wake = new Wake({ clock, setTimer, action: () => this.#startChosen() });
  }

  /** Refuses an id that waits or runs; a parked or ended job may come again. */
  addJob(job: Job, run: RunJob): void {
    if (this.#waiting.has(job.id) || this.#running.has(job.id)) throw schedulerErrors.jobExists(job.id);
    this.#endings.openJob(job.id, job.group);
    this.#waiting.set(job.id, { job, run });
    this.#scheduleChoice();
  }

  /** Records a job that ended before this queue was made, so that others can depend on it. */
  rememberEnd(id: string, group: string, settled: Settled): void {
    if (this.#waiting.has(id) || this.#running.has(id)) throw schedulerErrors.jobExists(id);
    this.#endings.openJob(id, group);
    this.#settleJob(id, settled);
  }

  /** Records a job that is open but must not start yet: jobs that depend on it wait, as for a parked one. */
  expectJob(id: string, group: string): void {
    if (this.#waiting.has(id) || this.#running.has(id) || this.#endings.readStates().has(id)) return;
    this.#endings.openJob(id, group);
    this.#endings.parkJob(id);
  }

  /** Asks a running job to stop, ends one that waits or is parked; false when there is nothing to cancel. */
  cancelJob(id: string): boolean {
    const running = this.#running.get(id);
    if (running !== undefined) {
      running.abort.abort();
      return true;
    }
    if (!this.#waiting.delete(id) && !this.#endings.isParked(id)) return false;
    this.#settleJob(id, { kind: "cancelled" });
    return true;
  }

  /** Applies to new starts; jobs above a lowered limit keep running. */
  setLimits(limits: SlotLimits): void {
    this.#limits = limits;
    this.#scheduleChoice();
  }

  /** Called each time the last job has ended. */
  onIdle(listener: () => void): void {
    this.#idleListeners.push(listener);
  }

  /** Called once for each reason why a job cannot start; then cancel it. */
  onBlocked(listener: (blocked: Blocked) => void): void {
    this.#blockedListeners.push(listener);
  }

  /** How a job ends, or has ended; throws for an id that was never added. */
  async whenSettled(id: string): Promise<Settled> {
    const settled = this.#endings.whenSettled(id);
    if (settled === undefined) throw schedulerErrors.jobUnknown(id);
    return settled;
  }

  /** A running job that only waits lends its slot; taken back, it counts again at once. */
  lendSlot(id: string, isLent: boolean): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.set(id, { ...running, isLent });
    this.#scheduleChoice();
  }

  /** Why a job does not run; undefined when it does, or is not here. */
  whyWaiting(id: string): string | undefined {
    const job = this.#waiting.get(id)?.job;
    return job === undefined ? undefined : explainWait(job, this.#readSituation());
  }

  listWaiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  listRunning(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Drops the records of a group's ended jobs, once no job can depend on them. */
  forgetGroup(group: string): void {
    this.#endings.forgetGroup(group);
    this.#turns = new Map([...this.#turns].filter(([name]) => name !== group));
  }

  /** Cancels everything and resolves when no run is left. */
  async close(): Promise<void> {
    const open = this.listRunning();
    for (const id of [...this.listWaiting(), ...this.#endings.listParked(), ...open]) this.cancelJob(id);
    this.#wake.clearTimer();
    await Promise.all(open.map((id) => this.whenSettled(id)));
  }

  #readSituation(): Situation {
    return {
      queue: {
        jobs: Array.from(this.#waiting.values(), ({ job }) => job),
        known: this.#endings.readStates(),
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

  /** Deferred, so that jobs added one after the other compete with each other. */
  #scheduleChoice(): void {
    if (this.#isChosenSoon) return;
    this.#isChosenSoon = true;
    queueMicrotask(() => {
      this.#isChosenSoon = false;
      this.#startChosen();
    });
  }

  #startChosen(): void {
    const { queue, running, limits } = this.#readSituation();
    const choice = chooseNext(queue, running, limits);
    for (const id of choice.passedOver) this.#passedOver.set(id, (this.#passedOver.get(id) ?? 0) + 1);
    this.#wake.wakeAt(choice.wakeAtMs);
    for (const id of choice.start) this.#startJob(id);
    this.#reportBlocked(choice.blocked);
    this.#noticeIdle();
  }

  #startJob(id: string): void {
    const entry = this.#waiting.get(id);
    if (entry === undefined) return;
    const running = { ...entry, abort: new AbortController(), isLent: false };
    this.#waiting.delete(id);
    this.#passedOver.delete(id);
    this.#reported.delete(id);
    this.#running.set(id, running);
    if (entry.job.holdsSlot) this.#turns = recordTurn(this.#turns, entry.job.group);
    void this.#runToSettlement(running);
  }

  async #runToSettlement({ job, run, abort }: RunningEntry): Promise<void> {
    const ran = await runToEnd(run, abort.signal);
    this.#running.delete(job.id);
    // Cancelled between its end and now: it must not stay parked, because its owner has left.
    const goesOn = ran.kind === "parked" || ran.kind === "again";
    const end: RunEnd = goesOn && abort.signal.aborted ? { kind: "cancelled" } : ran;
    if (end.kind === "again") return this.addJob({ ...job, notBeforeMs: end.notBeforeMs }, run);
    if (end.kind !== "parked") return this.#settleJob(job.id, end);
    this.#endings.parkJob(job.id);
    return this.#scheduleChoice();
  }

  #settleJob(id: string, settled: Settled): void {
    this.#passedOver.delete(id);
    this.#reported.delete(id);
    this.#endings.settleJob(id, settled);
    this.#scheduleChoice();
  }

  #reportBlocked(blocked: readonly Blocked[]): void {
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

/** Calls the action after a delay; the returned function cancels it. */
type SetTimer = (delayMs: number, action: () => void) => () => void;

const systemTimer: SetTimer = (delayMs, action) => {
  const timer = setTimeout(action, delayMs);
  return () => clearTimeout(timer);
};

interface WakeOptions {
  readonly clock: Clock;
  readonly setTimer: SetTimer;
  readonly action: () => void;
}

/** One timer that each call replaces; if it fires early, the next choice sets it again. */
class Wake {
  readonly #options: WakeOptions;
  #clearTimer: () => void = () => undefined;

  constructor(options: WakeOptions) {
    this.#options = options;
  }

  /** Replaces any earlier time. */
  wakeAt(timeMs: number | undefined): void {
    this.clearTimer();
    if (timeMs === undefined) return;
    const { clock, setTimer, action } = this.#options;
    const delayMs = Math.min(MAX_DELAY_MS, Math.max(0, Math.ceil(timeMs - clock.monotonicMs())));
    this.#clearTimer = setTimer(delayMs, action);
  }

  clearTimer(): void {
    this.#clearTimer();
    this.#clearTimer = () => undefined;
  }
}
