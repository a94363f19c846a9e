import type { JournalEvent } from "../contract/journal-event.ts";
import type { Admission, Delegation, Settlement, StopWish } from "../journal/store.ts";
import { orchestratorErrors } from "../errors/orchestrator.ts";
import { RunQueue, type RunEnd } from "../scheduler/run-queue.ts";
import { ApprovalTimers } from "./approvals/approval-timers.ts";
import { delegateAs, listAdmitted } from "./calls/delegate-as.ts";
import { recordAnswer } from "./calls/record-answer.ts";
import { settleError } from "./calls/settle-error.ts";
import {
  findEndedBeside,
  findOpenBelow,
  findOpenWorkers,
  findQueuedWorkers,
  isWithinSubtree,
} from "./delegation/open-work.ts";
import { ExternalManagers } from "./external-manager/sessions.ts";
import type { EngineCalls, GivenAnswer } from "./live/engine-calls.ts";
import { KeyedLock } from "./live/keyed-lock.ts";
import { LiveAttempts, type Caller } from "./live/live-attempts.ts";
import { RoomPause } from "./live/room-pause.ts";
import { StorySlots } from "./live/story-slots.ts";
import { Waiters } from "./live/waiters.ts";
import { closeDelegation } from "./merged/close-delegation.ts";
import { FreedPlaces } from "./merged/free-place.ts";
import { openStory } from "./open-story.ts";
import { advanceDelegation } from "./pipeline.ts";
import type { RunTools } from "./ports/run-tools.ts";
import type { Step } from "./ports/step.ts";
import { buildAdoptedJob, buildJob, findOpenDependencies, isElsewhere } from "./queued/build-job.ts";
import { settleBlocked } from "./queued/start-queued.ts";
import { resumeInterrupted } from "./recover.ts";
import { Proofs } from "./returned/proofs.ts";
import { runAttempt } from "./running/run-attempt.ts";

const MAX_OPEN = 10_000;
const NO_SLOT_PAUSE_MS = 500;

/**
 * Looks at every open delegation and takes the step that its state in the journal asks for (`pipeline.ts`). It holds no
 * truth of its own, so a new engine on the same store continues where a dead one stopped.
 */
export class Engine implements EngineCalls {
  readonly tools: RunTools;
  readonly live: LiveAttempts = new LiveAttempts((id) => this.lendSlot(id, true), this);
  readonly externalManagers: ExternalManagers;
  readonly #queue: RunQueue;
  readonly #proofs: Proofs;
  readonly #looks = new KeyedLock();
  readonly #places = new FreedPlaces();
  readonly #timers: ApprovalTimers;
  readonly #ended = new Waiters<Delegation>();
  readonly #answered = new Waiters<void>();
  readonly #closing = new Waiters<void>();
  readonly #slots: StorySlots;
  readonly #room: RoomPause;
  readonly #consider = (id: string): void => this.consider(id);
  #enqueued = 0;
  #isClosing = false;

  constructor(tools: RunTools, maxConcurrent: number, outsideGraceMs?: number) {
    this.tools = tools;
    const calls = { tools, live: this.live, consider: this.#consider };
    this.externalManagers = new ExternalManagers(calls, outsideGraceMs);
    this.#proofs = new Proofs(tools);
    this.#room = new RoomPause(tools, this.#consider, (one) => resumeInterrupted(tools, one));
    this.#slots = new StorySlots(maxConcurrent, (limits) => this.#queue.setLimits(limits), tools.slotCap);
    this.#queue = new RunQueue({ limits: this.#slots.limits, clock: tools.clock, gate: this.live.rates });
    this.#queue.onBlocked(({ id, on }) => void this.#close(id, settleBlocked(on)));
    const expired = { answer: "expired", by: "ambit", reason: "" } as const;
    this.#timers = new ApprovalTimers(tools, (id) => this.answer(id, expired));
    tools.elsewhere?.follow(
      (event) => this.#hear(event),
      (slots) => this.#slots.capTo(slots),
    );
  }

  async openStory(...[input, caller]: Parameters<EngineCalls["openStory"]>): Promise<string> {
    const id = await openStory(this.tools, input, caller);
    this.consider(id);
    return id;
  }

  async delegate(caller: Caller, input: unknown): Promise<readonly Admission[]> {
    const admissions = await delegateAs(this, caller, input);
    for (const { id } of listAdmitted(admissions)) this.consider(id);
    return admissions;
  }

  /** Continues every open delegation of the store. */
  async resumeAll(): Promise<readonly string[]> {
    const open = await this.tools.store.openDelegations(MAX_OPEN);
    for (const one of await findEndedBeside(this.tools, open)) this.#rememberEnd(one);
    for (const { id } of open) this.consider(id);
    return open.map(({ id }) => id);
  }

  async answer(approvalId: string, given: GivenAnswer): Promise<void> {
    this.#endQuestion(approvalId, await recordAnswer(this.tools, approvalId, given));
  }

  /** Handles an event, which another machine may have written. */
  #hear({ type, data, delegation }: JournalEvent): void {
    if (type === "approval-answered") this.#endQuestion(data.approvalId, delegation);
    else if (delegation !== null) this.consider(delegation);
  }

  #endQuestion(approvalId: string, delegation: string | null): void {
    this.#timers.forgetApproval(approvalId);
    this.#answered.resolveAll(approvalId, undefined);
    if (delegation !== null) this.consider(delegation);
  }

  /** Ends a delegation and everything below it; their work is kept. Resolves when all of it has ended and its slots are free. */
  async stop(id: string, why: StopWish): Promise<void> {
    for (const one of await findOpenBelow(this.tools, await this.read(id))) {
      await this.tools.store.requestCancel(one.id, why);
      this.live.stop(one.id, "cancelled");
      this.#proofs.stopProof(one.id);
      this.tools.git.hurryImports(one.id);
      this.consider(one.id);
    }
    await this.whenEnded(id).then(() => new Promise((resolve) => setImmediate(resolve)));
  }

  async whenEnded(id: string): Promise<Delegation> {
    const ended = this.#ended.waitFor(id);
    const delegation = await this.read(id);
    return delegation.state === "closed" ? delegation : ended;
  }

  /** Resolves when a question has its answer, whatever it is. */
  whenAnswered(approvalId: string): Promise<void> {
    return this.#answered.waitFor(approvalId);
  }

  lendSlot(id: string, isLent: boolean): void {
    this.#queue.lendSlot(id, isLent);
  }

  /** Why a queued delegation has not started. */
  whyWaiting(id: string): string | undefined {
    return this.#room.whyPaused(id) ?? this.tools.elsewhere?.whyWaiting(id) ?? this.#queue.whyWaiting(id);
  }

  /** Whether work is under way, or will start without anyone's help: in all stories, or in one. */
  isBusy(story?: string): boolean {
    const moving = [this.#looks.listBusyKeys(), this.#queue.listRunning(), this.#queue.listWaiting()];
    const held = [this.#places.listBusy(), this.externalManagers.listAway(), this.#room.listPaused()];
    return [...moving, ...held].flat().some((id) => story === undefined || isWithinSubtree(id, story));
  }

  /** Ends the processes that run; their delegations stay open in the journal. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#closing.resolveAll("engine", undefined);
    for (const timers of [this.#timers, this.#room, this.#places]) timers.clearTimers();
    this.externalManagers.close();
    this.live.stopAll("replaced");
    await this.#proofs.stopAllProofs();
    this.tools.git.hurryImports();
    this.tools.elsewhere?.stop();
    await this.#queue.close();
    await this.#looks.whenIdle().then(() => this.#places.whenIdle());
  }

  /** Looks at one delegation and takes the step that its state asks for. Looks at one delegation never overlap. */
  consider(id: string): void {
    if (this.#isClosing) return;
    const look = () => this.#advanceOne(id).catch((error: unknown) => this.#closeBroken(id, error));
    // A delegation that cannot even be closed, on a full disk for example, stays open for the next runtime.
    void this.#looks.runInOrder(id, look).catch(() => undefined);
  }

  async read(id: string): Promise<Delegation> {
    const delegation = await this.tools.store.delegation(id);
    if (delegation !== undefined) return delegation;
    throw orchestratorErrors.delegationNotFound(id);
  }

  async #advanceOne(id: string): Promise<void> {
    if (this.#isClosing) return;
    // While it runs, `#runJob` moves it on; anything read before its end is stale.
    if (this.#queue.listRunning().includes(id)) return;
    const delegation = await this.read(id);
    if (this.#queue.listRunning().includes(id)) return;
    if (delegation.state === "closed") return this.#hasEnded(delegation);
    if (await this.#room.holds(delegation)) return;
    // It waits for its slot already, and only a stop can change that.
    if (this.#queue.listWaiting().includes(id) && !delegation.cancelRequested) return;
    if (await isElsewhere(this.tools, delegation)) return this.#adoptJob(delegation);
    const { tools, externalManagers: outside } = this;
    const pipeline = { tools, outside, proofs: this.#proofs, consider: this.#consider };
    const step = await advanceDelegation(pipeline, delegation);
    return this.#followStep(delegation, step);
  }

  async #followStep(delegation: Delegation, step: Step): Promise<void> {
    const { id } = delegation;
    switch (step.kind) {
      case "moved":
        return this.consider(id);
      case "waiting":
        return this.#considerQueued(id).then(() => this.#timers.watchOpen(id));
      case "ready":
        return this.#enqueueJob(delegation);
      case "close": {
        const newest = await this.read(id);
        // The queue may have started it meanwhile; then its attempt ends it. Nothing may await between this and its end.
        if (this.#queue.listRunning().includes(id)) return undefined;
        return this.#endDelegation(newest, step.settlement);
      }
      case "nothing":
      case "no-slot":
        return undefined;
    }
  }

  async #enqueueJob(delegation: Delegation): Promise<void> {
    const { id, story } = delegation;
    if (this.#queue.listWaiting().includes(id)) return;
    for (const other of await findOpenDependencies(this.tools, delegation))
      this.#queue.expectJob(other, story);
    this.#slots.take(story, (await this.tools.store.story(story))?.limits.maxConcurrent);
    if (this.#isClosing) return;
    this.#queue.addJob(buildJob(this.tools, delegation, (this.#enqueued += 1)), () => this.#runJob(id));
  }

  /** Another machine works on it: waits for its end as if it had been started here. */
  #adoptJob(delegation: Delegation): void {
    if (this.#isClosing || this.#queue.listRunning().includes(delegation.id)) return;
    this.#queue.addJob(buildAdoptedJob(this.tools, delegation), () => this.#runJob(delegation.id));
  }

  /** The queue only ever sees a job parked: it learns that it ended, and how, when the journal says so. */
  async #runJob(id: string): Promise<RunEnd> {
    try {
      const step = await runAttempt(this.tools, this.live, await this.read(id));
      // Another runtime holds slots, or the limit is lower now; asking again at once would give the same answer.
      if (step.kind === "no-slot" && (await this.read(id)).state === "queued")
        return { kind: "again", notBeforeMs: this.tools.clock.monotonicMs() + NO_SLOT_PAUSE_MS };
      if (step.kind === "close") await this.#close(id, step.settlement);
      else await this.#considerQueued(id);
    } catch (error) {
      await this.#closeBroken(id, error);
    }
    // Once this returns, the slot is free and the next look sees that.
    setImmediate(() => this.consider(id));
    return { kind: "parked" };
  }

  async #close(id: string, settlement: Settlement): Promise<void> {
    await this.#endDelegation(await this.read(id), settlement);
  }

  /** Considers the queued workers, and a reviewer that was admitted meanwhile. */
  async #considerQueued(id: string): Promise<void> {
    for (const worker of await findQueuedWorkers(this.tools, await this.read(id))) this.consider(worker);
  }

  /** A manager ends after its workers: those that are still open are stopped and their work kept. */
  async #endDelegation(delegation: Delegation, settlement: Settlement): Promise<void> {
    const { id } = delegation;
    // Only a waiting job is cancelled: cancelling a parked job would tell its dependants that it failed.
    if (this.#queue.listWaiting().includes(id)) this.#queue.cancelJob(id);
    const workers = await findOpenWorkers(this.tools, delegation);
    // On shutdown it does not wait for workers: open work stays open in the journal.
    if (this.#isClosing && workers.length > 0) return;
    const stopped = workers.map((worker) => this.stop(worker.id, { reason: `${id} has ended`, by: "ambit" }));
    if (workers.length > 0) await Promise.race([Promise.all(stopped), this.#closing.waitFor("engine")]);
    if (this.#isClosing && workers.length > 0) return;
    await closeDelegation(this.tools, await this.read(id), settlement);
    await this.#places.freeInBackground(this.tools, delegation);
    this.#hasEnded(await this.read(id));
  }

  #hasEnded(delegation: Delegation): void {
    this.#rememberEnd(delegation);
    this.#room.forget(delegation.id);
    this.#ended.resolveAll(delegation.id, delegation);
    this.externalManagers.forgetEnded(delegation.id);
    if (delegation.parent !== null) return this.consider(delegation.parent);
    this.#slots.forget(delegation.story);
    void this.tools.elsewhere?.forgetStory(delegation.story).catch(() => undefined);
    if (!this.#queue.listRunning().includes(delegation.id)) this.#queue.forgetGroup(delegation.story);
  }

  /** For the jobs that depend on it. */
  #rememberEnd({ id, story, outcome }: Delegation): void {
    if (this.#queue.listWaiting().includes(id) || this.#queue.listRunning().includes(id)) return;
    this.#queue.rememberEnd(id, story, { kind: outcome === "completed" ? "succeeded" : "unsuccessful" });
  }

  /** After an error in the runtime itself: the work is kept, and the delegation closes with the error. */
  async #closeBroken(id: string, error: unknown): Promise<void> {
    if (this.#isClosing) return;
    const delegation = await this.read(id);
    if (delegation.state === "closed" || (await this.#room.takeDelegation(delegation, error))) return;
    await this.#close(id, await settleError(this, delegation, error));
  }
}
