import { type Clock, systemClock } from "../base/clock.ts";
import { DelegationError } from "../base/delegation-error.ts";
import { finishPending } from "./files/pending-work.ts";
import { getStateFolders } from "./files/state-folders.ts";
import { canPoolCommit } from "./git/can-pool-commit.ts";
import { checkWorkspaceId } from "./git/ref-names.ts";
import { closeRefSession } from "./git/ref-sessions.ts";
import { newSlotName, PoolUpkeep, type UpkeepSettings } from "./pool/upkeep.ts";
import { lastFoundDependencies } from "./prepare/find-dependencies.ts";
import { hasDependencies } from "./prepare/has-dependencies.ts";
import { hasRecipe } from "./prepare/has-recipe.ts";
import type { SlotOptions } from "./prepare/slot-options.ts";
import type { SlotClaim, SlotRecord } from "./records/record.ts";
import { deleteWorkerBranch, type RemoveRequest } from "./remove.ts";
import { handOutSlot } from "./slots/hand-out.ts";
import { markUnready, readOwnIdentity } from "./slots/prepare-slot.ts";
import { proveRelease, type ReleaseRefusal } from "./slots/prove-release.ts";
import { bringToBase, claimForDelegation } from "./slots/waiting-slots.ts";
import {
  createWorkspace,
  type CreateRequest,
  describeWorkspace,
  buildSlotOptions,
  type Workspace,
  type WorkspaceSettings,
} from "./worktree.ts";

export interface PoolSettings extends WorkspaceSettings, UpkeepSettings {}

/** No agent delegates work in its first second, and a story that ends before that needs no checkouts. */
const AHEAD_MS = 1000;

export type GivenBack = { readonly status: "released" } | ReleaseRefusal;

/**
 * Keeps warm checkouts at fixed paths. Handing one out takes one git call; a returned one is cleaned in the background.
 * Slots are never renamed while in use, and a worker never finds leftovers of another one. The price is `size` full trees
 * on disk, or one tree and a mount for each if this process may mount layers.
 */
export class WorkspacePool {
  #settings: PoolSettings;
  #options: SlotOptions;
  readonly #clock: Clock;
  readonly #upkeep: PoolUpkeep;
  #adoption: Promise<void> | undefined;
  /** Requests in progress. */
  #taking = 0;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#options = buildSlotOptions(settings);
    this.#clock = settings.clock ?? systemClock;
    this.#upkeep = new PoolUpkeep(settings, this.#options, () => this.#taking > 0);
  }

  /**
   * Announces the commit that the next delegations will start from. In the background, the pool takes over checkouts
   * of an earlier process, moves a waiting one to the commit and creates missing ones.
   */
  aimAtCommit(commit: string): void {
    this.#upkeep.aimAtCommit(commit);
    this.#upkeep.refillLater();
  }

  /** Announces that workers may follow later; creates nothing that costs a tree. */
  expectWorkers(commit: string): void {
    this.#upkeep.background.runLaterAfter(AHEAD_MS, async () => {
      if (await this.#upkeep.areSlotsCheap()) this.aimAtCommit(commit);
    });
  }

  /** Announces a new commit when nothing else has changed: one waiting checkout is moved there. */
  followCommit(commit: string): void {
    this.#upkeep.aimAtCommit(commit);
    this.#upkeep.followLater();
  }

  /**
   * Returns a workspace: a waiting one if possible, else a new one. A checkout that waits at another commit is moved by
   * the difference; a checkout that was prepared by other settings is not used. The workspace can later be found by its
   * id, even without this pool.
   */
  async takeWorkspace(request: CreateRequest, settings: PoolSettings = this.#settings): Promise<Workspace> {
    checkWorkspaceId(request.id);
    const options = this.#useSettings(settings);
    this.#upkeep.aimAtCommit(request.base);
    this.#taking += 1;
    try {
      this.#adoption ??= this.#upkeep.adoptWaiting();
      await this.#adoption;
      return (
        (await this.#takeWaitingSlot(options, request)) ?? (await this.#createWorkspace(settings, request))
      );
    } finally {
      this.#taking -= 1;
    }
  }

  /** Frees a workspace; a pooled one is cleaned for the next worker. Refuses as `releaseWorkspace` does. */
  giveBack(request: RemoveRequest): Promise<GivenBack> {
    return this.#releaseSlot(request, (record) =>
      record.pooled ? this.#upkeep.renewLater(record) : this.#upkeep.discardLater(record),
    );
  }

  /** Frees a workspace and removes its checkout. Refuses as `giveBack` does. */
  discardWorkspace(request: RemoveRequest): Promise<GivenBack> {
    return this.#releaseSlot(request, (record) => this.#upkeep.discardLater(record));
  }

  /** Resolves when no background work is left. */
  settled(): Promise<void> {
    return this.#upkeep.background.settled();
  }

  /** Finishes the current step and stops. Clean full trees stay for the next process; everything else is removed. */
  async close(): Promise<void> {
    await this.#upkeep.close();
    await finishPending(getStateFolders(this.#options.stateDirectory).workspaces);
    closeRefSession(this.#settings.repository);
  }

  /** The number of waiting checkouts. */
  get waiting(): number {
    return this.#upkeep.free.size;
  }

  /** Checkouts that are prepared from now on follow the newest settings. */
  #useSettings(settings: PoolSettings): SlotOptions {
    const before = this.#settings;
    if (settings === before) return this.#options;
    this.#settings = settings;
    this.#options = buildSlotOptions(settings);
    if (settings.recipe !== before.recipe || settings.size !== before.size)
      this.#upkeep.useSettings(settings, this.#options);
    return this.#options;
  }

  async #releaseSlot(request: RemoveRequest, next: (record: SlotRecord) => void): Promise<GivenBack> {
    const proof = await proveRelease(this.#options, request);
    if (proof.status === "refused") return proof;
    if (request.keepBranch !== true)
      await deleteWorkerBranch(this.#options.repository, request.id, proof.branchTip);
    // If we end before it is cleaned, the next process discards it.
    next(markUnready(this.#options.stateDirectory, proof.slot.record));
    return { status: "released" };
  }

  async #takeWaitingSlot(options: SlotOptions, request: CreateRequest): Promise<Workspace | undefined> {
    const start = this.#clock.monotonicMs();
    for (;;) {
      const record = this.#claimBestSlot(options, request);
      if (record === undefined) {
        if (await this.#upkeep.renewNow()) continue;
        return undefined;
      }
      const ready = await this.#handOutSlot(options, record, request);
      if (ready === undefined) continue;
      this.#upkeep.topUpAfterStart();
      const tookMs = this.#clock.monotonicMs() - start;
      return { ...describeWorkspace(ready, request, tookMs), fromPool: true };
    }
  }

  async #createWorkspace(settings: PoolSettings, request: CreateRequest): Promise<Workspace> {
    try {
      const isKept =
        (await this.#upkeep.canKeepAnother()) &&
        (await canPoolCommit(this.#options.repository, request.base));
      return await createWorkspace(settings, request, isKept ? newSlotName() : undefined);
    } finally {
      this.#upkeep.refillLater();
    }
  }

  /** Claims a waiting checkout, preferably one at the right commit; no other process can take it afterwards. */
  #claimBestSlot(options: SlotOptions, request: CreateRequest): SlotRecord | undefined {
    const { free } = this.#upkeep;
    const claim = buildClaim(request);
    const found = lastFoundDependencies(options, options.dependencyFolders);
    const candidates = [...free.values()]
      .filter((record) => hasRecipe(options, record))
      .filter((record) => found === undefined || hasDependencies(record, found))
      .toSorted(
        (left, right) => Number(right.commit === request.base) - Number(left.commit === request.base),
      );
    for (const record of candidates) {
      free.delete(record.name);
      if (claimForDelegation(options.stateDirectory, record, claim)) return record;
    }
    return undefined;
  }

  /** Undefined if the checkout itself is broken; then another one is used. */
  async #handOutSlot(
    options: SlotOptions,
    record: SlotRecord,
    request: CreateRequest,
  ): Promise<SlotRecord | undefined> {
    try {
      const held = await bringToBase(options, record, buildClaim(request));
      return await handOutSlot(options, held, request);
    } catch (error) {
      const isBroken = error instanceof DelegationError && brokenSlot.has(error.code);
      if (isBroken) this.#upkeep.discardLater(record);
      else this.#upkeep.renewLater(record);
      if (isBroken) return undefined;
      throw error;
    }
  }
}

function buildClaim({ id, base }: CreateRequest): SlotClaim {
  return { version: 1, id, base, claimedBy: readOwnIdentity() };
}

/** Codes that concern the checkout, not the request. */
const brokenSlot: ReadonlySet<string> = new Set(["WORKSPACE_GONE", "WORKSPACE_TAMPERED"]);
