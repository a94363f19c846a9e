import type { Admission, Delegation, Settlement } from "../journal/store.ts";
import type { SlotLimits } from "../scheduler/job.ts";
import { RunQueue, type RunEnd } from "../scheduler/run-queue.ts";
import { brokenSettlement, keepWhatThereIs } from "./delegation/keep-work.ts";
import { ApprovalTimers } from "./approvals/approval-timers.ts";
import { approveCost, spentSettlement } from "./queued/cost-approval.ts";
import { findOpenApproval, type GivenAnswer } from "./approvals/find-open-approval.ts";
import { FreedPlaces } from "./merged/freed-places.ts";
import { jobOf, openDependencies } from "./queued/build-job.ts";
import { blockedSettlement, lostSettlement } from "./queued/start-queued.ts";
import { KeyedLock } from "./live/keyed-lock.ts";
import { isWithin, openBelow, openWorkersOf } from "./delegation/open-work.ts";
import { Proofs } from "./returned/proofs.ts";
import { notFound, replaced } from "./engine/refusals.ts";
import { resumeParked } from "./parked/resume-parked.ts";
import { Waiters } from "./live/waiters.ts";
import { LiveAttempts, type Caller } from "./live/live-attempts.ts";
import { managerBranch } from "./delegation/manager-branch.ts";
import { isOutside } from "./external-manager/rules.ts";
import { OutsideManagers } from "./external-manager/sessions.ts";
import { keepSnapshot } from "./external-manager/keep-snapshot.ts";
import { delegate, openStory, runAttempt, settleReturned } from "./pipeline.ts";
import type { RunTools } from "./ports/run-tools.ts";
import { closeDelegation } from "./merged/close-delegation.ts";
import type { Step } from "./ports/step.ts";

const MOST_OPEN = 10_000;
const NO_SLOT_PAUSE_MS = 500;

/**
 * Moves every open delegation on from the state its journal says: a queued one waits for its slot, a parked one for
 * what it waits for, a returned one is proven and merged. Holds no truth of its own, so a new engine on the same
 * store goes on where a dead one was.
 */
export class Engine {
  readonly tools: RunTools;
  readonly live = new LiveAttempts((id) => this.lendSlot(id, true));
  readonly outside: OutsideManagers;
  readonly #queue: RunQueue;
  readonly #proofs = new Proofs();
  readonly #turns = new KeyedLock();
  readonly #places = new FreedPlaces();
  readonly #timers: ApprovalTimers;
  readonly #ended = new Waiters<Delegation>();
  readonly #answered = new Waiters<void>();
  readonly #closing = new Waiters<void>();
  #limits: SlotLimits;
  #enqueued = 0;
  #isClosing = false;

  constructor(tools: RunTools, maxConcurrent: number, outsideGraceMs?: number) {
    this.tools = tools;
    const looks = { tools, live: this.live, consider: (id: string) => this.consider(id) };
    this.outside = new OutsideManagers(looks, outsideGraceMs);
    this.#limits = { maxConcurrent, groups: new Map() };
    this.#queue = new RunQueue({ limits: this.#limits, clock: tools.clock, gate: this.live.rates });
    this.#queue.onBlocked(({ id, on }) => void this.#whenBlocked(id, on));
    this.#timers = new ApprovalTimers(tools, (id) =>
      this.answer(id, { answer: "expired", by: "ambit", reason: "" }),
    );
  }

  async openStory(input: unknown): Promise<string> {
    const id = await openStory(this.tools, input);
    this.consider(id);
    return id;
  }

  /** For a worker known by its token. Its work so far is kept first: that is what its own workers start from. */
  async delegate(caller: Caller, input: unknown): Promise<readonly Admission[]> {
    const admissions = await this.live.during(caller, async () => {
      const manager = await this.read(caller.id);
      await (isOutside(manager) ? keepSnapshot(this.tools, manager) : keepWhatThereIs(this.tools, manager));
      return delegate(this.tools, manager, input);
    });
    if (admissions === undefined) throw replaced(caller.id);
    for (const admission of admissions) if (admission.admitted) this.consider(admission.delegation.id);
    return admissions;
  }

  /** Takes up every open delegation of the store. */
  async resumeAll(): Promise<readonly string[]> {
    const open = await this.tools.store.openDelegations(MOST_OPEN);
    const stories = new Set(open.map(({ story }) => story));
    for (const story of stories)
      for (const one of await this.tools.store.storyTree(story))
        if (one.state === "closed") this.#remember(one);
    for (const { id } of open) this.consider(id);
    return open.map(({ id }) => id);
  }

  async answer(approvalId: string, given: GivenAnswer): Promise<void> {
    const { story, delegation } = await findOpenApproval(this.tools, approvalId, given.answer);
    const data = { approvalId, ...given };
    await this.tools.store.record({ type: "approval-answered", story, delegation, attempt: 0, data });
    this.#timers.forget(approvalId);
    this.#answered.tell(approvalId, undefined);
    this.consider(delegation);
  }

  /** Ends a delegation and everything below it; their work is kept. Resolves when all of it has ended. */
  async stop(id: string, why: { readonly reason: string; readonly by: string }): Promise<void> {
    for (const one of await openBelow(this.tools, await this.read(id))) {
      await this.tools.store.requestCancel(one.id, why.reason, why.by);
      this.live.stop(one.id, "cancelled");
      this.#proofs.stop(one.id);
      this.consider(one.id);
    }
    await this.whenEnded(id);
  }

  async whenEnded(id: string): Promise<Delegation> {
    const ended = this.#ended.wait(id);
    const delegation = await this.read(id);
    return delegation.state === "closed" ? delegation : ended;
  }

  /** Resolves when a question has its answer, whatever it is. */
  whenAnswered(approvalId: string): Promise<void> {
    return this.#answered.wait(approvalId);
  }

  lendSlot(id: string, isLent: boolean): void {
    this.#queue.lendSlot(id, isLent);
  }

  /** Why a queued delegation has not started. */
  whyWaiting(id: string): string | undefined {
    return this.#queue.whyWaiting(id);
  }

  /** Something is being done, or will be without anybody's help: in all stories, or in one. */
  isBusy(story?: string): boolean {
    const moving = [...this.#turns.keys(), ...this.#queue.running(), ...this.#queue.waiting()];
    const ids = [...moving, ...this.#places.keys(), ...this.outside.away()];
    return ids.some((id) => story === undefined || isWithin(id, story));
  }

  /** Ends the processes that run; their delegations stay open in the journal. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#closing.tell("engine", undefined);
    this.#timers.close();
    this.outside.close();
    this.live.stopAll("replaced");
    this.#proofs.stopAll();
    await this.#queue.close();
    await this.#turns.idle().then(() => this.#places.idle());
  }

  /** Looks at one delegation and does what its state asks for. Looks at the same one follow each other. */
  consider(id: string): void {
    if (this.#isClosing) return;
    const task = (): Promise<void> =>
      this.#advance(id).catch((error: unknown) => this.#whenBroken(id, error));
    // What cannot even be closed, on a full disk for example, stays open for the next runtime.
    void this.#turns.run(id, task).catch(() => undefined);
  }

  async read(id: string): Promise<Delegation> {
    const delegation = await this.tools.store.delegation(id);
    if (delegation !== undefined) return delegation;
    throw notFound(id);
  }

  async #advance(id: string): Promise<void> {
    if (this.#isClosing) return;
    // While it runs, whatever happens to it comes from there; and what was read while it ended is no longer true.
    if (this.#queue.running().includes(id)) return;
    const delegation = await this.read(id);
    if (this.#queue.running().includes(id)) return;
    if (isOutside(delegation) && delegation.state !== "closed")
      return this.#take(id, await this.outside.advance(delegation));
    if (delegation.cancelRequested && delegation.state !== "closed")
      return this.#end(delegation, { outcome: "cancelled", summary: "Stopped on request." });
    switch (delegation.state) {
      case "queued":
        return this.#enqueue(delegation);
      case "running":
        return undefined;
      case "parked":
        if (await resumeParked(this.tools, delegation)) return this.#enqueue(await this.read(id));
        return this.#watchApprovals(id);
      case "returned":
      case "verified":
      case "merged":
        return this.#settle(delegation);
      case "closed":
        return this.#hasEnded(delegation);
    }
  }

  async #enqueue(delegation: Delegation): Promise<void> {
    const { id, turn } = delegation;
    if (this.#queue.waiting().includes(id)) return;
    const over = lostSettlement(turn.lost) ?? spentSettlement(delegation);
    if (over !== undefined) return this.#end(delegation, over);
    const cost = await approveCost(this.tools, delegation);
    if (cost.kind === "denied") return this.#end(delegation, cost.settlement);
    if (cost.kind === "waiting") return this.#watchApprovals(id);
    for (const other of await openDependencies(this.tools, delegation))
      this.#queue.expect(other, delegation.story);
    await this.#takeStoryLimit(delegation.story);
    if (this.#isClosing) return;
    this.#queue.add(jobOf(this.tools, delegation, (this.#enqueued += 1)), () => this.#run(id));
  }

  /** A story may have fewer slots than the project. */
  async #takeStoryLimit(id: string): Promise<void> {
    const most = (await this.tools.store.story(id))?.limits.maxConcurrent;
    if (most === undefined || this.#limits.groups.get(id) === most) return;
    this.#limits = { ...this.#limits, groups: new Map([...this.#limits.groups, [id, most]]) };
    this.#queue.setLimits(this.#limits);
  }

  /** As a job it is only ever parked: that it has ended, and how, is told when its journal says so. */
  async #run(id: string): Promise<RunEnd> {
    try {
      const step = await runAttempt(this.tools, this.live, await this.read(id));
      // The store knows of others who run, or of a lower limit; asking at once would only give the same answer.
      if (step.kind === "no-slot" && (await this.read(id)).state === "queued")
        return { kind: "again", notBeforeMs: this.tools.clock.monotonicMs() + NO_SLOT_PAUSE_MS };
      if (step.kind === "close") await this.#end(await this.read(id), step.settlement);
      else await this.#considerWorkers(await this.read(id));
    } catch (error) {
      await this.#whenBroken(id, error);
    }
    // Once this returns the slot is free, and the next look finds it so.
    setImmediate(() => this.consider(id));
    return { kind: "parked" };
  }

  async #settle({ id, parent, story }: Delegation): Promise<void> {
    if (this.#isClosing) return;
    const branch = managerBranch(parent ?? id, story);
    const prove = async (signal: AbortSignal): Promise<Step> =>
      settleReturned(this.tools, await this.read(id), signal);
    return this.#take(id, await this.#proofs.run(id, branch, prove));
  }

  async #take(id: string, step: Step): Promise<void> {
    if (step.kind === "close") return this.#end(await this.read(id), step.settlement);
    if (step.kind === "waiting") return this.#watchApprovals(id);
    this.consider(id);
  }

  /** A manager ends after its workers: those that are still open are stopped and their work kept. */
  async #end(delegation: Delegation, settlement: Settlement): Promise<void> {
    const { id } = delegation;
    // Only what waits: cancelling a parked one would tell those who depend on it that it failed.
    if (this.#queue.waiting().includes(id)) this.#queue.cancel(id);
    const workers = await openWorkersOf(this.tools, delegation);
    // Who is shut down waits for nobody: what has not ended stays open in the journal.
    if (this.#isClosing && workers.length > 0) return;
    const stopped = workers.map((worker) => this.stop(worker.id, { reason: `${id} has ended`, by: "ambit" }));
    if (workers.length > 0) await Promise.race([Promise.all(stopped), this.#closing.wait("engine")]);
    if (this.#isClosing && workers.length > 0) return;
    await closeDelegation(this.tools, await this.read(id), settlement);
    await this.#places.free(this.tools, delegation);
    this.#hasEnded(await this.read(id));
  }

  #hasEnded(delegation: Delegation): void {
    this.#remember(delegation);
    this.#ended.tell(delegation.id, delegation);
    this.outside.ended(delegation.id);
    if (delegation.parent !== null) this.consider(delegation.parent);
    else if (!this.#queue.running().includes(delegation.id)) this.#queue.forget(delegation.story);
  }

  /** For those that depend on it. */
  #remember({ id, story, outcome }: Delegation): void {
    if (this.#queue.waiting().includes(id) || this.#queue.running().includes(id)) return;
    this.#queue.remember(id, story, { kind: outcome === "completed" ? "succeeded" : "unsuccessful" });
  }

  async #considerWorkers(manager: Delegation): Promise<void> {
    if (manager.openWorkers === 0) return;
    for (const { id, state } of await openWorkersOf(this.tools, manager))
      if (state === "queued") this.consider(id);
  }

  async #watchApprovals(id: string): Promise<void> {
    for (const approval of await this.tools.store.approvalsOf(id))
      if (approval.answer === null) await this.#timers.watch(approval);
  }

  async #whenBlocked(id: string, on: readonly string[]): Promise<void> {
    await this.#end(await this.read(id), blockedSettlement(on));
  }

  /** Something broke in our own hands: what there is of the work is kept, and the delegation says so. */
  async #whenBroken(id: string, error: unknown): Promise<void> {
    if (this.#isClosing) return;
    const delegation = await this.read(id);
    if (delegation.state === "closed") return;
    const { files } = await keepWhatThereIs(this.tools, delegation);
    await this.#end(await this.read(id), brokenSettlement(error, files));
  }
}
