import { type Clock, systemClock } from "../base/clock.ts";
import { DelegationError } from "../base/delegation-error.ts";
import { randomBase36 } from "../base/ids.ts";
import { BackgroundWork } from "./files/background-work.ts";
import { canBePooled } from "./git/can-be-pooled.ts";
import { closeSession, warmSession } from "./git/ref-sessions.ts";
import { checkWorkspaceId } from "./names.ts";
import { findDependencies, lastFoundDependencies } from "./prepare/find-dependencies.ts";
import { hasDependencies } from "./prepare/has-dependencies.ts";
import { refreshTemplates } from "./prepare/refresh-templates.ts";
import { dropBranch, emptyTrash, type RemoveRequest } from "./remove.ts";
import { cleanSlot } from "./slots/clean-slot.ts";
import { handOut } from "./slots/hand-out.ts";
import { discardSlot, ownIdentity, prepareSlot } from "./slots/prepare-slot.ts";
import type { SlotOptions } from "./slots/slot-options.ts";
import { proveRelease, type ReleaseRefusal } from "./slots/prove-release.ts";
import { claimSlot, dropClaim, listSlots, type SlotRecord, writeRecord } from "./slots/record.ts";
import { adoptSlots, holdSlot, settleIndex } from "./slots/shelf.ts";
import { createWorkspace, type CreateRequest, describeWorkspace, slotOptions } from "./worktree.ts";
import type { Workspace, WorkspaceSettings } from "./worktree.ts";

export interface PoolSettings extends WorkspaceSettings {
  /** Checkouts kept in all, waiting or in use. Each costs one full tree on disk. */
  readonly size: number;
  /** Pause before indexes are made younger than their files. */
  readonly settleMs?: number;
  /** Background work that failed; the checkout concerned is thrown away and another one made. */
  readonly onProblem?: (error: unknown) => void;
}

export type GivenBack = { readonly status: "released" } | ReleaseRefusal;

/** Git compares whole seconds: an index must be younger than the files it lists, or each is read again. */
const SETTLE_MS = 1100;

/**
 * Warm checkouts at fixed paths. Handing one out is one git call; a returned one is cleaned in the background. Slots are
 * never renamed while in use, and a worker never finds anything another one left. Price: `size` full trees on disk.
 */
export class WorkspacePool {
  readonly #settings: PoolSettings;
  readonly #options: SlotOptions;
  readonly #clock: Clock;
  readonly #free = new Map<string, SlotRecord>();
  /** Given back, not cleaned yet. */
  readonly #used = new Map<string, SlotRecord>();
  readonly #background: BackgroundWork;
  #commit: string | undefined;
  #adoption: Promise<void> | undefined;
  /** Requests that are being served. */
  #taking = 0;
  #isRefillAsked = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#options = slotOptions(settings);
    this.#clock = settings.clock ?? systemClock;
    this.#background = new BackgroundWork({
      isBusy: () => this.#taking > 0,
      onProblem: (error) => settings.onProblem?.(error),
    });
  }

  /**
   * Names the commit that the next delegations will start from: checkouts an earlier process left are taken over,
   * waiting ones are moved there, missing ones made, all in the background.
   */
  aim(commit: string): void {
    this.#commit = commit;
    this.#refillLater();
  }

  /**
   * A workspace, from the pool where one waits, else made from nothing. One that waits at another commit is moved by
   * what differs. The workspace is found by its id afterwards, also without this pool.
   */
  async take(request: CreateRequest): Promise<Workspace> {
    checkWorkspaceId(request.id);
    this.#commit ??= request.base;
    this.#taking += 1;
    try {
      if (this.#adoption === undefined) await this.#adopt();
      return (await this.#takeWaiting(request)) ?? (await this.#make(request));
    } finally {
      this.#taking -= 1;
    }
  }

  /** Frees a workspace: cleaned for the next worker where it is a pooled one. Refuses as `releaseWorkspace` does. */
  giveBack(request: RemoveRequest): Promise<GivenBack> {
    return this.#release(request, (record) =>
      record.pooled ? this.#renew(record) : this.#throwAway(record),
    );
  }

  /** Frees a workspace and removes its checkout, for one that is not to be used again. Refuses as `giveBack` does. */
  discard(request: RemoveRequest): Promise<GivenBack> {
    return this.#release(request, (record) => this.#throwAway(record));
  }

  /** Resolves when nothing is left to do in the background. */
  settled(): Promise<void> {
    return this.#background.settled();
  }

  /** Finishes the step under way and stops. Clean checkouts stay, for the next process; others are put away. */
  async close(): Promise<void> {
    await this.#background.stop();
    for (const record of this.#used.values()) await discardSlot(this.#options, record);
    this.#used.clear();
    this.#free.clear();
    closeSession(this.#settings.repository);
  }

  /** How many checkouts wait. */
  get waiting(): number {
    return this.#free.size;
  }

  async #release(request: RemoveRequest, next: (record: SlotRecord) => Promise<void>): Promise<GivenBack> {
    const proof = await proveRelease(this.#options, request);
    if (proof.status === "refused") return proof;
    const { record } = proof.slot;
    if (request.keepBranch !== true) await dropBranch(this.#options.repository, request.id, proof.branchTip);
    // Should we end before it is cleaned, the next process throws it away.
    writeRecord(this.#options.stateDirectory, { ...record, isReady: false, madeBy: ownIdentity() });
    this.#used.set(record.name, record);
    this.#background.later(() => next(record));
    return { status: "released" };
  }

  async #takeWaiting(request: CreateRequest): Promise<Workspace | undefined> {
    const start = this.#clock.monotonicMs();
    for (let record = this.#claimBest(request); record !== undefined; record = this.#claimBest(request)) {
      const ready = await this.#handOut(record, request);
      if (ready !== undefined) return describeWorkspace(ready, request, this.#clock.monotonicMs() - start);
    }
    return undefined;
  }

  async #make(request: CreateRequest): Promise<Workspace> {
    try {
      return await createWorkspace(this.#settings, request);
    } finally {
      this.#refillLater();
    }
  }

  /** The one that already holds the commit, if any; nobody else can take it afterwards. */
  #claimBest(request: CreateRequest): SlotRecord | undefined {
    const claim = { version: 1 as const, ...request, claimedBy: ownIdentity() };
    const found = lastFoundDependencies(this.#options, this.#options.dependencyFolders);
    const candidates = [...this.#free.values()]
      .filter((record) => found === undefined || hasDependencies(record, found))
      .toSorted(
        (left, right) => Number(right.commit === request.base) - Number(left.commit === request.base),
      );
    for (const record of candidates) {
      this.#free.delete(record.name);
      if (claimSlot(this.#options.stateDirectory, record.name, claim)) return record;
    }
    return undefined;
  }

  /** Undefined where the checkout itself is broken; then another one serves as well. */
  async #handOut(record: SlotRecord, request: CreateRequest): Promise<SlotRecord | undefined> {
    try {
      return await handOut(this.#options, record, request);
    } catch (error) {
      const isBroken = error instanceof DelegationError && brokenSlot.has(error.code);
      this.#used.set(record.name, record);
      this.#background.later(() => (isBroken ? this.#throwAway(record) : this.#renew(record)));
      if (isBroken) return undefined;
      throw error;
    }
  }

  /** Once for all who ask before it begins. */
  #refillLater(): void {
    if (this.#isRefillAsked) return;
    this.#isRefillAsked = true;
    this.#background.later(() => {
      this.#isRefillAsked = false;
      return this.#refill();
    });
  }

  async #refill(): Promise<void> {
    const commit = this.#commit;
    if (commit === undefined) return;
    await this.#adopt();
    const isPossible = await canBePooled(this.#options.repository, commit);
    await this.#shrink(isPossible ? this.#settings.size : 0);
    if (!isPossible) return;
    warmSession(this.#settings.repository);
    const found = await findDependencies(this.#options, this.#options.dependencyFolders);
    const isCurrent = (record: SlotRecord): boolean =>
      record.commit === commit && hasDependencies(record, found);
    const stale = [...this.#free.values()].filter((record) => !isCurrent(record));
    for (const { name } of stale) await this.#refresh(name, commit);
    for (
      let count = this.#count();
      count < this.#settings.size && !this.#background.signal.aborted;
      count += 1
    )
      await this.#add(commit);
    await refreshTemplates(this.#options, commit, found);
    await emptyTrash(this.#options.stateDirectory, this.#background.signal);
  }

  /** Takes over checkouts that wait and that no pool of this process knows. */
  #adopt(): Promise<void> {
    this.#adoption = this.#takeOver();
    return this.#adoption;
  }

  async #takeOver(): Promise<void> {
    try {
      for (const record of await adoptSlots(this.#options))
        if (!this.#free.has(record.name)) this.#free.set(record.name, record);
    } catch (error) {
      // What cannot be put away now is named by `ambit doctor`; nobody has to wait for it.
      this.#settings.onProblem?.(error);
    }
  }

  #count(): number {
    return listSlots(this.#options.stateDirectory).filter(({ record }) => record.pooled).length;
  }

  async #shrink(size: number): Promise<void> {
    for (const name of [...this.#free.keys()].slice(0, Math.max(this.#count() - size, 0))) {
      this.#free.delete(name);
      await holdSlot(this.#options, name, (record) => discardSlot(this.#options, record));
    }
  }

  async #add(commit: string): Promise<void> {
    const name = `slot-${randomBase36(8)}`;
    this.#offer(await prepareSlot(this.#options, { name, commit, pooled: true }));
  }

  async #refresh(name: string, commit: string): Promise<void> {
    this.#free.delete(name);
    const renewed = await holdSlot(this.#options, name, (record) => this.#clean(record, commit));
    if (renewed !== undefined) this.#offer(renewed);
  }

  /** Its claim keeps everybody else away until it is clean. */
  async #renew(used: SlotRecord): Promise<void> {
    const record = await this.#clean(used, this.#commit ?? used.commit);
    dropClaim(this.#options.stateDirectory, record.name);
    this.#used.delete(record.name);
    this.#offer(record);
  }

  async #clean(record: SlotRecord, commit: string): Promise<SlotRecord> {
    try {
      return await cleanSlot(this.#options, record, commit);
    } catch (error) {
      await this.#throwAway(record);
      throw error;
    }
  }

  #offer(record: SlotRecord): void {
    this.#free.set(record.name, record);
    this.#background.after(this.#settings.settleMs ?? SETTLE_MS, () => this.#settleIndexOf(record));
  }

  async #settleIndexOf(record: SlotRecord): Promise<void> {
    const isUntaken = this.#free.get(record.name) === record;
    if (isUntaken)
      await holdSlot(this.#options, record.name, (held) => Promise.resolve(settleIndex(this.#options, held)));
  }

  async #throwAway(record: SlotRecord): Promise<void> {
    await discardSlot(this.#options, record);
    this.#used.delete(record.name);
    this.#refillLater();
  }
}

/** Codes that speak of the checkout, not of the request. */
const brokenSlot: ReadonlySet<string> = new Set(["WORKSPACE_GONE", "WORKSPACE_TAMPERED"]);
