import { type Clock, systemClock } from "../base/clock.ts";
import { DelegationError } from "../base/delegation-error.ts";
import { canBePooled } from "./git/can-be-pooled.ts";
import { checkWorkspaceId } from "./git/ref-names.ts";
import { closeSession } from "./git/ref-sessions.ts";
import { newSlotName, PoolUpkeep, type UpkeepSettings } from "./pool/upkeep.ts";
import { lastFoundDependencies } from "./prepare/find-dependencies.ts";
import { hasDependencies } from "./prepare/has-dependencies.ts";
import type { SlotOptions } from "./prepare/slot-options.ts";
import { claimSlot, type SlotRecord } from "./records/record.ts";
import { dropBranch, type RemoveRequest } from "./remove.ts";
import { handOut } from "./slots/hand-out.ts";
import { markUnready, ownIdentity } from "./slots/prepare-slot.ts";
import { proveRelease, type ReleaseRefusal } from "./slots/prove-release.ts";
import { createWorkspace, type CreateRequest, describeWorkspace, slotOptions } from "./worktree.ts";
import type { Workspace, WorkspaceSettings } from "./worktree.ts";

export interface PoolSettings extends WorkspaceSettings, UpkeepSettings {}

/** No agent hands out work in its first second, and what ends before needs no places. */
const AHEAD_MS = 1000;

export type GivenBack = { readonly status: "released" } | ReleaseRefusal;

/**
 * Warm checkouts at fixed paths. Handing one out is one git call; a returned one is cleaned in the background. Slots are
 * never renamed while in use, and a worker never finds anything another one left. Price: `size` full trees on disk, or
 * one and a mount for each, where this process may mount layers.
 */
export class WorkspacePool {
  readonly #settings: PoolSettings;
  readonly #options: SlotOptions;
  readonly #clock: Clock;
  readonly #upkeep: PoolUpkeep;
  #adoption: Promise<void> | undefined;
  /** Requests that are being served. */
  #taking = 0;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#options = slotOptions(settings);
    this.#clock = settings.clock ?? systemClock;
    this.#upkeep = new PoolUpkeep(settings, this.#options, () => this.#taking > 0);
  }

  /**
   * Names the commit that the next delegations will start from: checkouts an earlier process left are taken over, one
   * that waits is moved there, missing ones made, all in the background.
   */
  aim(commit: string): void {
    this.#upkeep.aim(commit);
    this.#upkeep.refillLater();
  }

  /** The same for somebody who may have workers, and not at once: nothing is made that costs a tree. */
  expectWorkers(commit: string): void {
    this.#upkeep.background.after(AHEAD_MS, async () => {
      if (await this.#upkeep.areCheap()) this.aim(commit);
    });
  }

  /** The same where nothing else has changed: one that waits is moved there. */
  follow(commit: string): void {
    this.#upkeep.aim(commit);
    this.#upkeep.followLater();
  }

  /**
   * A workspace, from the pool where one waits, else made from nothing. One that waits at another commit is moved by
   * what differs. The workspace is found by its id afterwards, also without this pool.
   */
  async take(request: CreateRequest): Promise<Workspace> {
    checkWorkspaceId(request.id);
    this.#upkeep.aim(request.base);
    this.#taking += 1;
    try {
      this.#adoption ??= this.#upkeep.adopt();
      await this.#adoption;
      return (await this.#takeWaiting(request)) ?? (await this.#make(request));
    } finally {
      this.#taking -= 1;
    }
  }

  /** Frees a workspace: cleaned for the next worker where it is a pooled one. Refuses as `releaseWorkspace` does. */
  giveBack(request: RemoveRequest): Promise<GivenBack> {
    return this.#release(request, (record) =>
      record.pooled ? this.#upkeep.renewLater(record) : this.#upkeep.throwAwayLater(record),
    );
  }

  /** Frees a workspace and removes its checkout, for one that is not to be used again. Refuses as `giveBack` does. */
  discard(request: RemoveRequest): Promise<GivenBack> {
    return this.#release(request, (record) => this.#upkeep.throwAwayLater(record));
  }

  /** Resolves when nothing is left to do in the background. */
  settled(): Promise<void> {
    return this.#upkeep.background.settled();
  }

  /** Finishes the step under way and stops. Clean full trees stay, for the next process; all else is put away. */
  async close(): Promise<void> {
    await this.#upkeep.close();
    closeSession(this.#settings.repository);
  }

  /** How many checkouts wait. */
  get waiting(): number {
    return this.#upkeep.free.size;
  }

  async #release(request: RemoveRequest, next: (record: SlotRecord) => void): Promise<GivenBack> {
    const proof = await proveRelease(this.#options, request);
    if (proof.status === "refused") return proof;
    if (request.keepBranch !== true) await dropBranch(this.#options.repository, request.id, proof.branchTip);
    // Should we end before it is cleaned, the next process throws it away.
    next(markUnready(this.#options.stateDirectory, proof.slot.record));
    return { status: "released" };
  }

  async #takeWaiting(request: CreateRequest): Promise<Workspace | undefined> {
    const start = this.#clock.monotonicMs();
    for (let record = this.#claimBest(request); record !== undefined; record = this.#claimBest(request)) {
      const ready = await this.#handOut(record, request);
      if (ready === undefined) continue;
      this.#upkeep.topUpLater();
      const tookMs = this.#clock.monotonicMs() - start;
      return { ...describeWorkspace(ready, request, tookMs), fromPool: true };
    }
    return undefined;
  }

  async #make(request: CreateRequest): Promise<Workspace> {
    try {
      const isKept =
        (await this.#upkeep.areCheap()) && (await canBePooled(this.#options.repository, request.base));
      return await createWorkspace(this.#settings, request, isKept ? newSlotName() : undefined);
    } finally {
      this.#upkeep.refillLater();
    }
  }

  /** The one that already holds the commit, if any; nobody else can take it afterwards. */
  #claimBest(request: CreateRequest): SlotRecord | undefined {
    const { free } = this.#upkeep;
    const claim = { version: 1 as const, ...request, claimedBy: ownIdentity() };
    const found = lastFoundDependencies(this.#options, this.#options.dependencyFolders);
    const candidates = [...free.values()]
      .filter((record) => found === undefined || hasDependencies(record, found))
      .toSorted(
        (left, right) => Number(right.commit === request.base) - Number(left.commit === request.base),
      );
    for (const record of candidates) {
      free.delete(record.name);
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
      if (isBroken) this.#upkeep.throwAwayLater(record);
      else this.#upkeep.renewLater(record);
      if (isBroken) return undefined;
      throw error;
    }
  }
}

/** Codes that speak of the checkout, not of the request. */
const brokenSlot: ReadonlySet<string> = new Set(["WORKSPACE_GONE", "WORKSPACE_TAMPERED"]);
