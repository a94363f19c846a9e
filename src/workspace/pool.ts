import { setTimeout as wait } from "node:timers/promises";
import { type Clock, systemClock } from "../base/clock.ts";
import { randomBase36 } from "../base/ids.ts";
import { canBePooled } from "./git/can-be-pooled.ts";
import { RefSession } from "./git/ref-session.ts";
import { checkWorkspaceId } from "./names.ts";
import { refreshTemplates } from "./prepare/refresh-templates.ts";
import { dropBranch, emptyTrash, type RemoveRequest } from "./remove.ts";
import { cleanSlot, hasCurrentDependencies } from "./slots/clean-slot.ts";
import { handOut } from "./slots/hand-out.ts";
import { discardSlot, ownIdentity, prepareSlot } from "./slots/prepare-slot.ts";
import type { SlotOptions } from "./slots/slot-options.ts";
import { proveRelease, type ReleaseRefusal } from "./slots/prove-release.ts";
import { claimSlot, dropClaim, listSlots, type SlotRecord } from "./slots/record.ts";
import { adoptSlots, holdSlot, settleIndex } from "./slots/shelf.ts";
import { createFromNothing, type CreateRequest, describeWorkspace, slotOptions } from "./worktree.ts";
import type { Workspace, WorkspaceSettings } from "./worktree.ts";

export interface PoolSettings extends WorkspaceSettings {
  /** Checkouts kept in all, waiting or in use. Each costs one full tree on disk. */
  readonly size: number;
  /** Runs in every new or cleaned checkout before it is offered, as `workspace.setup` does. */
  readonly setUp?: (path: string) => Promise<void>;
  /** Pause before indexes are made younger than their files. */
  readonly settleMs?: number;
  /** Background work that failed; the checkout concerned is thrown away and another one made. */
  readonly onProblem?: (error: unknown) => void;
}

/** Git compares whole seconds: an index must be younger than the files it lists, or each is read again. */
const SETTLE_MS = 1100;
const YIELD_MS = 10;

/**
 * Warm checkouts at fixed paths. Handing one out is one git call; a returned one is cleaned in the background. Slots are
 * never renamed while in use, and a worker never finds anything another one left. Price: `size` full trees on disk.
 */
export class WorkspacePool {
  readonly #settings: PoolSettings;
  readonly #options: SlotOptions;
  readonly #clock: Clock;
  readonly #free = new Map<string, SlotRecord>();
  readonly #stop = new AbortController();
  readonly #refs: RefSession;
  #commit: string | undefined;
  #isFirst = true;
  #background: Promise<void> = Promise.resolve();

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#options = slotOptions(settings);
    this.#clock = settings.clock ?? systemClock;
    this.#refs = new RefSession(settings.repository);
  }

  /** Names the commit that the next delegations will start from; waiting checkouts are moved there. */
  aim(commit: string): void {
    this.#commit = commit;
    this.#later(() => this.#refill());
  }

  /** A workspace, from the pool where one waits, else made from nothing. */
  async take(request: CreateRequest): Promise<Workspace> {
    const start = this.#clock.monotonicMs();
    checkWorkspaceId(request.id);
    const record = this.#claimBest(request);
    this.#commit ??= request.base;
    try {
      if (record === undefined) return await createFromNothing(this.#settings, request, this.#refs);
      const ready = await handOut(this.#options, record, { ...request, session: this.#refs });
      return describeWorkspace(ready, request, this.#clock.monotonicMs() - start);
    } catch (error) {
      if (record !== undefined) this.#later(() => this.#renew(record));
      throw error;
    } finally {
      this.#later(() => this.#refill());
    }
  }

  /** Frees a workspace: cleaned for the next worker where it is a pooled one. Refuses as `releaseWorkspace` does. */
  async giveBack(request: RemoveRequest): Promise<{ readonly status: "released" } | ReleaseRefusal> {
    const proof = await proveRelease(this.#options, request);
    if (proof.status === "refused") return proof;
    const { record } = proof.slot;
    if (request.keepBranch !== true) await dropBranch(this.#options.repository, request.id, proof.branchTip);
    this.#later(() => (record.pooled ? this.#renew(record) : this.#throwAway(record)));
    return { status: "released" };
  }

  /** Resolves when nothing is left to do in the background. */
  async settled(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (seen !== this.#background) {
      seen = this.#background;
      await seen;
    }
  }

  /** Finishes the step under way and stops. Checkouts stay, for the next process. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#background;
    this.#refs.close();
  }

  /** How many checkouts wait. */
  get waiting(): number {
    return this.#free.size;
  }

  /** The one that already holds the commit, if any; nobody else can take it afterwards. */
  #claimBest(request: CreateRequest): SlotRecord | undefined {
    const claim = { version: 1 as const, ...request, claimedBy: ownIdentity() };
    const candidates = [...this.#free.values()].toSorted(
      (left, right) => Number(right.commit === request.base) - Number(left.commit === request.base),
    );
    for (const record of candidates) {
      this.#free.delete(record.name);
      if (claimSlot(this.#options.stateDirectory, record.name, claim)) return record;
    }
    return undefined;
  }

  /** One thing at a time: background work must not slow the workers down. */
  #later(work: () => Promise<void>): void {
    this.#background = this.#background
      // Not in the caller's way: starting a program blocks us for a moment.
      .then(() => wait(YIELD_MS))
      .then(() => (this.#stop.signal.aborted ? undefined : work()))
      .catch((error: unknown) => this.#settings.onProblem?.(error));
  }

  async #refill(): Promise<void> {
    const commit = this.#commit;
    if (commit === undefined) return;
    if (this.#isFirst)
      for (const record of await adoptSlots(this.#options)) this.#free.set(record.name, record);
    this.#isFirst = false;
    if (!(await canBePooled(this.#options.repository, commit))) return;
    this.#refs.warmUp();
    const stale = [...this.#free.values()].filter((record) => !this.#isCurrent(record, commit));
    for (const { name } of stale) await this.#refresh(name, commit);
    const known = listSlots(this.#options.stateDirectory).filter(({ record }) => record.pooled).length;
    for (let count = known; count < this.#settings.size && !this.#stop.signal.aborted; count += 1)
      await this.#add(commit);
    await refreshTemplates(this.#options, commit);
    await emptyTrash(this.#options.stateDirectory, this.#stop.signal);
  }

  #isCurrent(record: SlotRecord, commit: string): boolean {
    return record.commit === commit && hasCurrentDependencies(this.#options, record);
  }

  async #add(commit: string): Promise<void> {
    const name = `slot-${randomBase36(8)}`;
    const record = await prepareSlot(this.#options, { name, commit, pooled: true });
    await this.#offer(record);
  }

  async #refresh(name: string, commit: string): Promise<void> {
    this.#free.delete(name);
    const renewed = await holdSlot(this.#options, name, (record) => cleanSlot(this.#options, record, commit));
    if (renewed !== undefined) await this.#offer(renewed);
  }

  /** Its claim keeps everybody else away until it is clean. */
  async #renew(used: SlotRecord): Promise<void> {
    try {
      const record = await cleanSlot(this.#options, used, this.#commit ?? used.commit);
      dropClaim(this.#options.stateDirectory, record.name);
      await this.#offer(record);
    } catch (error) {
      await this.#throwAway(used);
      throw error;
    }
  }

  async #offer(record: SlotRecord): Promise<void> {
    await this.#settings.setUp?.(record.path);
    this.#free.set(record.name, record);
    this.#later(() => this.#settleIndexOf(record));
  }

  async #settleIndexOf(record: SlotRecord): Promise<void> {
    await wait(this.#settings.settleMs ?? SETTLE_MS, undefined, { signal: this.#stop.signal }).catch(
      () => undefined,
    );
    const isUntaken = this.#free.get(record.name) === record;
    if (isUntaken)
      await holdSlot(this.#options, record.name, (held) => Promise.resolve(settleIndex(this.#options, held)));
  }

  async #throwAway(record: SlotRecord): Promise<void> {
    await discardSlot(this.#options, record);
  }
}
