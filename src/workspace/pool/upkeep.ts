import { randomBase36 } from "../../base/ids.ts";
import { runWithoutAbort } from "../../base/task-abort.ts";
import { BackgroundWork } from "../files/background-work.ts";
import { canPoolCommit } from "../git/can-pool-commit.ts";
import { warmRefSession } from "../git/ref-sessions.ts";
import { emptyTrash } from "../prepare/empty-trash.ts";
import { findDependencies } from "../prepare/find-dependencies.ts";
import { hasDependencies } from "../prepare/has-dependencies.ts";
import { hasRecipe } from "../prepare/has-recipe.ts";
import { canUseLayers } from "../prepare/layers.ts";
import { hideTemplates, refreshTemplates } from "../prepare/prune-templates.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import { removeClaim, listRecordNames, type SlotRecord } from "../records/record.ts";
import { cleanSlot } from "../slots/clean-slot.ts";
import { discardSlot, prepareSlot } from "../slots/prepare-slot.ts";
import {
  adoptWaitingSlots,
  discardUnfinishedSlots,
  holdWaitingSlot,
  moveWaitingSlot,
  settleIndexes,
  discardWaiting,
} from "../slots/waiting-slots.ts";

export interface UpkeepSettings {
  /** How many checkouts are created ahead and kept in total, waiting or in use, if each costs one full tree on disk. */
  readonly size: number;
  /** How many are created ahead if each is only a layer: as many as may start at once. `size` if absent. */
  readonly layersAhead?: number;
  /** Pause before indexes are made newer than their files. */
  readonly settleMs?: number;
  /** Called when background work fails; the checkout concerned is discarded and another one created. */
  readonly onProblem?: (error: unknown) => void;
}

/** Git compares whole seconds: an index must be newer than the files it lists, or git reads each file again. */
const SETTLE_MS = 1100;
/** About as long as several workers take to start at once. */
const START_MS = 100;
const MAX_LAYERS = 24;
/** No delegation id begins like this. */
const PREFIX = "slot-";

/** All background work on pooled checkouts: creating, moving, cleaning and discarding them. */
export class PoolUpkeep {
  /** Waiting checkouts. */
  readonly free = new Map<string, SlotRecord>();
  readonly background: BackgroundWork;
  /** Returned checkouts that are not clean yet. */
  readonly #used = new Map<string, SlotRecord>();
  /** Those of them that will be cleaned, but are not being cleaned yet. */
  readonly #unclean = new Map<string, SlotRecord>();
  #settings: UpkeepSettings;
  #options: SlotOptions;
  readonly #asked = new Set<string>();
  #commit: string | undefined;

  constructor(settings: UpkeepSettings, options: SlotOptions, isBusy: () => boolean) {
    this.#settings = settings;
    this.#options = options;
    const onProblem = (error: unknown): void => this.#settings.onProblem?.(error);
    this.background = new BackgroundWork({ isBusy, onProblem });
  }

  /** Uses other settings from now on; checkouts that were prepared by others are renewed in the background. */
  useSettings(settings: UpkeepSettings, options: SlotOptions): void {
    this.#settings = settings;
    this.#options = options;
    this.refillLater();
  }

  /** Sets the commit that the next checkouts will start from, as far as is known. */
  aimAtCommit(commit: string): void {
    this.#commit = commit;
  }

  /** Brings everything up to date: dependencies, number, templates; and discards leftovers. */
  refillLater(): void {
    this.#runOnceLater("refill", () => this.#refillSlots());
  }

  /** Workers that have just got their checkouts start before others are created. */
  topUpAfterStart(): void {
    if (!this.#asked.has("top-up"))
      this.background.runLaterAfter(START_MS, () => Promise.resolve(this.#topUpLater()));
  }

  /** One at a time, so that a concurrent request goes first. */
  #topUpLater(): void {
    this.#runOnceLater("top-up", async () => {
      if (this.#commit === undefined || !(await this.#needsMoreSlots())) return;
      const slot = { name: newSlotName(), commit: this.#commit, pooled: true };
      this.#offerSlot(await prepareSlot(this.#options, slot));
      this.#topUpLater();
    });
  }

  followLater(): void {
    this.#runOnceLater("follow", async () => {
      if (this.#commit !== undefined) await this.#moveOneSlot(this.#commit);
    });
  }

  /** Its claim keeps other processes away until it is clean. */
  renewLater(used: SlotRecord): void {
    this.#used.set(used.name, used);
    this.#unclean.set(used.name, used);
    this.background.runLater(() => this.#renewUsed(used));
  }

  /**
   * Cleans a returned checkout now, because a request waits and none is clean. With layers, this takes less time than to
   * create one. If the request is stopped meanwhile, the next one gets the checkout. False if there is none.
   */
  async renewNow(): Promise<boolean> {
    const [used] = this.#unclean.values();
    if (used === undefined || !(await this.areSlotsCheap())) return false;
    await runWithoutAbort(() => this.#renewUsed(used)).catch((error: unknown) =>
      this.#settings.onProblem?.(error),
    );
    return true;
  }

  async #renewUsed(used: SlotRecord): Promise<void> {
    if (!this.#unclean.delete(used.name)) return;
    const record = await this.#cleanOrDiscard(used, this.#commit ?? used.commit);
    removeClaim(this.#options.stateDirectory, record.name);
    this.#used.delete(record.name);
    this.#offerSlot(record);
    this.#runOnceLater("empty-trash", () => this.#emptyTrash());
  }

  discardLater(used: SlotRecord): void {
    this.#used.set(used.name, used);
    this.background.runLater(() => this.#discardAndRefill(used));
  }

  /** Takes over waiting checkouts that no pool of this process knows. */
  async adoptWaiting(): Promise<void> {
    try {
      for (const record of await adoptWaitingSlots(this.#options))
        if (!this.free.has(record.name)) this.free.set(record.name, record);
    } catch (error) {
      // `ambit doctor` lists the leftovers that cannot be removed now; no caller has to wait for it.
      this.#settings.onProblem?.(error);
    }
  }

  /**
   * Nothing stays in the user's list of worktrees, except clean checkouts for which `workspace.setup` ran: those are slow to
   * create again, so the next process takes them.
   */
  async close(): Promise<void> {
    await this.background.stop();
    try {
      await this.#discardAll();
    } catch (error) {
      // The process still has to leave: the next one, or `ambit doctor --fix`, removes the rest.
      this.#settings.onProblem?.(error);
    }
    for (const slots of [this.#used, this.#unclean, this.free]) slots.clear();
  }

  async #discardAll(): Promise<void> {
    for (const record of this.#used.values()) await discardSlot(this.#options, record);
    await discardUnfinishedSlots(this.#options);
    if (this.#options.setUp === undefined) {
      // This includes checkouts that a killed process left, even if no request came since.
      await this.adoptWaiting();
      await discardWaiting(this.#options, [...this.free.values()]);
    }
    await hideTemplates(this.#options);
  }

  /** Whether a checkout that is created now is kept for the next worker afterwards. */
  async canKeepAnother(): Promise<boolean> {
    return (await this.areSlotsCheap()) && this.#countSlots() < MAX_LAYERS;
  }

  /** Each costs only a mount, so checkouts that were created are kept for the next worker. */
  async areSlotsCheap(): Promise<boolean> {
    const { setUp, dependencyWay } = this.#options;
    return this.#settings.size > 0 && setUp === undefined && canUseLayers(this.#options, dependencyWay);
  }

  async #refillSlots(): Promise<void> {
    const commit = this.#commit;
    if (commit === undefined) return;
    await this.adoptWaiting();
    const isPossible = await canPoolCommit(this.#options.repository, commit);
    const most = (await this.areSlotsCheap()) ? MAX_LAYERS : this.#settings.size;
    await this.#discardSurplus(isPossible ? most : 0);
    if (!isPossible) return;
    warmRefSession(this.#options.repository);
    const found = await findDependencies(this.#options, this.#options.dependencyFolders);
    const stale = [...this.free.values()].filter(
      (record) => !hasRecipe(this.#options, record) || !hasDependencies(record, found),
    );
    for (const { name } of stale)
      await this.#renewHeldSlot(name, (record) => this.#cleanOrDiscard(record, commit));
    await this.#moveOneSlot(commit);
    this.#topUpLater();
    await refreshTemplates(this.#options, commit, found);
    await this.#emptyTrash();
  }

  async #emptyTrash(): Promise<void> {
    await emptyTrash(this.#options.stateDirectory, this.background.signal);
  }

  /**
   * With layers, as many wait as are in use, because the next workers start before the current checkouts are clean
   * again.
   */
  async #needsMoreSlots(): Promise<boolean> {
    const { size, layersAhead = size } = this.#settings;
    const count = this.#countSlots();
    if (!(await this.areSlotsCheap())) return count < size;
    const inUse = count - this.free.size;
    return count < MAX_LAYERS && this.free.size < Math.max(layersAhead, inUse);
  }

  #countSlots(): number {
    return listRecordNames(this.#options.stateDirectory).filter((name) => name.startsWith(PREFIX)).length;
  }

  async #discardSurplus(size: number): Promise<void> {
    for (const name of [...this.free.keys()].slice(0, Math.max(this.#countSlots() - size, 0))) {
      this.free.delete(name);
      await holdWaitingSlot(this.#options, name, (record) => discardSlot(this.#options, record));
    }
  }

  /** The others are moved when they are handed out; until then the commit may change again. */
  async #moveOneSlot(commit: string): Promise<void> {
    const waiting = [...this.free.values()];
    const [first] = waiting;
    if (first === undefined || waiting.some((record) => record.commit === commit)) return;
    await this.#renewHeldSlot(first.name, (record) =>
      this.#discardOnFailure(record, () => moveWaitingSlot(this.#options, record, commit)),
    );
  }

  /** Works on a waiting checkout while no other process can take it. */
  async #renewHeldSlot(name: string, renew: (record: SlotRecord) => Promise<SlotRecord>): Promise<void> {
    this.free.delete(name);
    const renewed = await holdWaitingSlot(this.#options, name, renew);
    if (renewed !== undefined) this.#offerSlot(renewed);
  }

  #cleanOrDiscard(record: SlotRecord, commit: string): Promise<SlotRecord> {
    return this.#discardOnFailure(record, () => cleanSlot(this.#options, record, commit));
  }

  async #discardOnFailure(record: SlotRecord, renew: () => Promise<SlotRecord>): Promise<SlotRecord> {
    try {
      return await renew();
    } catch (error) {
      await this.#discardAndRefill(record);
      throw error;
    }
  }

  async #discardAndRefill(record: SlotRecord): Promise<void> {
    await discardSlot(this.#options, record);
    this.#used.delete(record.name);
    this.refillLater();
  }

  #offerSlot(record: SlotRecord): void {
    this.free.set(record.name, record);
    this.background.runLaterAfter(this.#settings.settleMs ?? SETTLE_MS, () => this.#settleSlotIndex(record));
  }

  async #settleSlotIndex(record: SlotRecord): Promise<void> {
    const isUntaken = this.free.get(record.name) === record;
    if (isUntaken)
      await holdWaitingSlot(this.#options, record.name, (held) =>
        Promise.resolve(settleIndexes(this.#options, held)),
      );
  }

  /** Runs once for all requests that arrive before it begins. */
  #runOnceLater(name: string, work: () => Promise<void>): void {
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    this.background.runLater(() => {
      this.#asked.delete(name);
      return work();
    });
  }
}

export function newSlotName(): string {
  return `${PREFIX}${randomBase36(8)}`;
}
