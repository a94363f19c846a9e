import type { Admission, Delegation, Settlement } from "../journal/store.ts";
import { orchestratorErrors } from "../errors/orchestrator.ts";
import { RunQueue, type RunEnd } from "../scheduler/run-queue.ts";
import { ApprovalTimers } from "./approvals/approval-timers.ts";
import { findOpenApproval } from "./approvals/find-open-approval.ts";
import { importRemainingWork } from "./delegation/keep-work.ts";
import { isExternalManager } from "./delegation/kind.ts";
import { findOpenBelow, findOpenWorkers, isWithinSubtree } from "./delegation/open-work.ts";
import { recordEvent } from "./delegation/record.ts";
import { pickStoryTools } from "./delegation/story-tools.ts";
import { keepSnapshot } from "./external-manager/keep-snapshot.ts";
import { ExternalManagers } from "./external-manager/sessions.ts";
import type { EngineCalls, GivenAnswer } from "./live/engine-calls.ts";
import { KeyedLock } from "./live/keyed-lock.ts";
import { LiveAttempts, type Caller } from "./live/live-attempts.ts";
import { StorySlots } from "./live/story-slots.ts";
import { Waiters } from "./live/waiters.ts";
import { closeDelegation, settleBroken } from "./merged/close-delegation.ts";
import { FreedPlaces } from "./merged/free-place.ts";
import { delegateWork } from "./opening/admit.ts";
import { advanceDelegation, openStory } from "./pipeline.ts";
import type { RunTools } from "./ports/run-tools.ts";
import type { Step } from "./ports/step.ts";
import { buildJob, findOpenDependencies } from "./queued/build-job.ts";
import { settleBlocked } from "./queued/start-queued.ts";
import { Proofs } from "./returned/proofs.ts";
import { runAttempt } from "./running/run-attempt.ts";

const MAX_OPEN = 10_000;
const NO_SLOT_PAUSE_MS = 500;

/**
 * Looks at every open delegation and does what its state in the journal asks for (`pipeline.ts`). It holds no truth of
 * its own, so a new engine on the same store continues where a dead one stopped.
 */
export class Engine implements EngineCalls {
  readonly tools: RunTools;
  readonly live = new LiveAttempts((id) => this.lendSlot(id, true));
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
  #enqueued = 0;
  #isClosing = false;

  constructor(tools: RunTools, maxConcurrent: number, outsideGraceMs?: number) {
    this.tools = tools;
    const consider = (id: string): void => this.consider(id);
    this.externalManagers = new ExternalManagers({ tools, live: this.live, consider }, outsideGraceMs);
    this.#proofs = new Proofs(tools);
    this.#slots = new StorySlots(maxConcurrent, (limits) => this.#queue.setLimits(limits));
    this.#queue = new RunQueue({ limits: this.#slots.limits, clock: tools.clock, gate: this.live.rates });
    this.#queue.onBlocked(({ id, on }) => void this.#closeBlocked(id, on));
    this.#timers = new ApprovalTimers(tools, (id) =>
      this.answer(id, { answer: "expired", by: "ambit", reason: "" }),
    );
  }

  async openStory(...[input, caller]: Parameters<EngineCalls["openStory"]>): Promise<string> {
    const id = await openStory(this.tools, input, caller);
    this.consider(id);
    return id;
  }

  /** For a worker known by its token. Its work so far is kept first: that is what its own workers start from. */
  async delegate(caller: Caller, input: unknown): Promise<readonly Admission[]> {
    const admissions = await this.live.runWhileLive(caller, async () => {
      const manager = await this.read(caller.id);
      const tools = await pickStoryTools(this.tools, manager.story);
      await (isExternalManager(manager) ? keepSnapshot(tools, manager) : importRemainingWork(tools, manager));
      return delegateWork(tools, manager, input);
    });
    if (admissions === undefined) throw orchestratorErrors.attemptReplaced(caller.id);
    for (const admission of admissions) if (admission.admitted) this.consider(admission.delegation.id);
    return admissions;
  }

  /** Takes up every open delegation of the store. */
  async resumeAll(): Promise<readonly string[]> {
    const open = await this.tools.store.openDelegations(MAX_OPEN);
    const stories = new Set(open.map(({ story }) => story));
    for (const story of stories)
      for (const one of await this.tools.store.storyTree(story))
        if (one.state === "closed") this.#rememberEnd(one);
    for (const { id } of open) this.consider(id);
    return open.map(({ id }) => id);
  }

  async answer(approvalId: string, given: GivenAnswer): Promise<void> {
    const { story, delegation } = await findOpenApproval(this.tools, approvalId, given.answer);
    const data = { approvalId, ...given };
    const about = { id: delegation, story, attempt: 0 };
    await recordEvent(this.tools, about, { type: "approval-answered", data });
    this.#timers.forgetApproval(approvalId);
    this.#answered.resolveAll(approvalId, undefined);
    this.consider(delegation);
  }

  /** Ends a delegation and everything below it; their work is kept. Resolves when all of it has ended. */
  async stop(id: string, why: { readonly reason: string; readonly by: string }): Promise<void> {
    for (const one of await findOpenBelow(this.tools, await this.read(id))) {
      await this.tools.store.requestCancel(one.id, why.reason, why.by);
      this.live.stop(one.id, "cancelled");
      this.#proofs.stopProof(one.id);
      this.tools.git.hurryImports(one.id);
      this.consider(one.id);
    }
    await this.whenEnded(id);
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
    return this.#queue.whyWaiting(id);
  }

  /** Whether work is under way, or will start without anyone's help: in all stories, or in one. */
  isBusy(story?: string): boolean {
    const moving = [
      ...this.#looks.listBusyKeys(),
      ...this.#queue.listRunning(),
      ...this.#queue.listWaiting(),
    ];
    const ids = [...moving, ...this.#places.listBusy(), ...this.externalManagers.listAway()];
    return ids.some((id) => story === undefined || isWithinSubtree(id, story));
  }

  /** Ends the processes that run; their delegations stay open in the journal. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#closing.resolveAll("engine", undefined);
    this.#timers.clearTimers();
    this.externalManagers.close();
    this.live.stopAll("replaced");
    await this.#proofs.stopAllProofs();
    this.tools.git.hurryImports();
    await this.#queue.close();
    await this.#looks.whenIdle().then(() => this.#places.whenIdle());
  }

  /** Looks at one delegation and does what its state asks for. Looks at the same one follow each other. */
  consider(id: string): void {
    if (this.#isClosing) return;
    const look = (): Promise<void> =>
      this.#advanceOne(id).catch((error: unknown) => this.#closeBroken(id, error));
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
    // It waits for its slot already, and only a stop can change that.
    if (this.#queue.listWaiting().includes(id) && !delegation.cancelRequested) return;
    const { tools, externalManagers: outside } = this;
    const consider = (other: string): void => this.consider(other);
    const step = await advanceDelegation({ tools, outside, proofs: this.#proofs, consider }, delegation);
    return this.#followStep(delegation, step);
  }

  async #followStep(delegation: Delegation, step: Step): Promise<void> {
    const { id } = delegation;
    switch (step.kind) {
      case "moved":
        return this.consider(id);
      case "waiting":
        return this.#watchApprovals(id);
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
    await this.#takeStoryLimit(story);
    if (this.#isClosing) return;
    this.#queue.addJob(buildJob(this.tools, delegation, (this.#enqueued += 1)), () => this.#runJob(id));
  }

  async #takeStoryLimit(id: string): Promise<void> {
    this.#slots.take(id, (await this.tools.store.story(id))?.limits.maxConcurrent);
  }

  /** The queue only ever sees a job parked: it learns that it ended, and how, when the journal says so. */
  async #runJob(id: string): Promise<RunEnd> {
    try {
      const step = await runAttempt(this.tools, this.live, await this.read(id));
      // Another runtime holds slots, or the limit is lower now; asking again at once would give the same answer.
      if (step.kind === "no-slot" && (await this.read(id)).state === "queued")
        return { kind: "again", notBeforeMs: this.tools.clock.monotonicMs() + NO_SLOT_PAUSE_MS };
      if (step.kind === "close") await this.#endDelegation(await this.read(id), step.settlement);
      else await this.#considerWorkers(await this.read(id));
    } catch (error) {
      await this.#closeBroken(id, error);
    }
    // Once this returns, the slot is free and the next look sees that.
    setImmediate(() => this.consider(id));
    return { kind: "parked" };
  }

  /** A manager ends after its workers: those that are still open are stopped and their work kept. */
  async #endDelegation(delegation: Delegation, settlement: Settlement): Promise<void> {
    const { id } = delegation;
    // Only a waiting job: cancelling a parked one would tell those who depend on it that it failed.
    if (this.#queue.listWaiting().includes(id)) this.#queue.cancelJob(id);
    const workers = await findOpenWorkers(this.tools, delegation);
    // On shutdown do not wait for workers: what has not ended stays open in the journal.
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
    this.#ended.resolveAll(delegation.id, delegation);
    this.externalManagers.forgetEnded(delegation.id);
    if (delegation.parent !== null) return this.consider(delegation.parent);
    this.#slots.forget(delegation.story);
    if (!this.#queue.listRunning().includes(delegation.id)) this.#queue.forgetGroup(delegation.story);
  }

  /** For the jobs that depend on it. */
  #rememberEnd({ id, story, outcome }: Delegation): void {
    if (this.#queue.listWaiting().includes(id) || this.#queue.listRunning().includes(id)) return;
    this.#queue.rememberEnd(id, story, { kind: outcome === "completed" ? "succeeded" : "unsuccessful" });
  }

  async #considerWorkers(manager: Delegation): Promise<void> {
    if (manager.openWorkers === 0) return;
    for (const { id, state } of await findOpenWorkers(this.tools, manager))
      if (state === "queued") this.consider(id);
  }

  async #watchApprovals(id: string): Promise<void> {
    for (const approval of await this.tools.store.approvalsOf(id))
      if (approval.answer === null) await this.#timers.watchApproval(approval);
  }

  async #closeBlocked(id: string, on: readonly string[]): Promise<void> {
    await this.#endDelegation(await this.read(id), settleBlocked(on));
  }

  /** After an error in the runtime itself: the work is kept, and the delegation closes with the error. */
  async #closeBroken(id: string, error: unknown): Promise<void> {
    if (this.#isClosing) return;
    const delegation = await this.read(id);
    if (delegation.state === "closed") return;
    const { files } = await importRemainingWork(this.tools, delegation);
    const newest = await this.read(id);
    await this.#endDelegation(newest, settleBroken(error, files, newest.cancelRequested));
  }
}
