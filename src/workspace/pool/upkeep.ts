import { randomBase36 } from "../../base/ids.ts";
import { BackgroundWork } from "../files/background-work.ts";
import { canBePooled } from "../git/can-be-pooled.ts";
import { warmSession } from "../git/ref-sessions.ts";
import { emptyTrash } from "../prepare/empty-trash.ts";
import { findDependencies } from "../prepare/find-dependencies.ts";
import { hasDependencies } from "../prepare/has-dependencies.ts";
import { canLayer } from "../prepare/layers.ts";
import { refreshTemplates } from "../prepare/prune-templates.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import { dropClaim, listRecordNames, type SlotRecord } from "../records/record.ts";
import { cleanSlot } from "../slots/clean-slot.ts";
import { discardSlot, prepareSlot } from "../slots/prepare-slot.ts";
import { adoptSlots, holdSlot, moveWaiting, settleIndex, discardWaiting } from "../slots/shelf.ts";

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
const MOST_LAYERS = 24;
/** No delegation id begins like this. */
const PREFIX = "slot-";

/** All background work on pooled checkouts: creating, moving, cleaning and discarding them. */
export class PoolUpkeep {
  /** Waiting checkouts. */
  readonly free = new Map<string, SlotRecord>();
  readonly background: BackgroundWork;
  /** Returned checkouts that are not clean yet. */
  readonly #used = new Map<string, SlotRecord>();
  readonly #settings: UpkeepSettings;
  readonly #options: SlotOptions;
  readonly #asked = new Set<string>();
  #commit: string | undefined;

  constructor(settings: UpkeepSettings, options: SlotOptions, isBusy: () => boolean) {
    this.#settings = settings;
    this.#options = options;
    const onProblem = (error: unknown): void => settings.onProblem?.(error);
    this.background = new BackgroundWork({ isBusy, onProblem });
  }

  /** Sets the commit that the next checkouts will start from, as far as is known. */
  aim(commit: string): void {
    this.#commit = commit;
  }

  /** Brings everything up to date: dependencies, number, templates; and discards leftovers. */
  refillLater(): void {
    this.#onceLater("refill", () => this.#refill());
  }

  /** One at a time, so that a concurrent request goes first. */
  topUpLater(): void {
    this.#onceLater("top-up", async () => {
      if (this.#commit === undefined || !(await this.#isShort())) return;
      const slot = { name: newSlotName(), commit: this.#commit, pooled: true };
      this.#offer(await prepareSlot(this.#options, slot));
      this.topUpLater();
    });
  }

  followLater(): void {
    this.#onceLater("follow", async () => {
      if (this.#commit !== undefined) await this.#moveOneTo(this.#commit);
    });
  }

  /** Its claim keeps others away until it is clean. */
  renewLater(used: SlotRecord): void {
    this.#used.set(used.name, used);
    this.background.later(async () => {
      const record = await this.#clean(used, this.#commit ?? used.commit);
      dropClaim(this.#options.stateDirectory, record.name);
      this.#used.delete(record.name);
      this.#offer(record);
      this.#onceLater("empty-trash", () => this.#emptyTrash());
    });
  }

  throwAwayLater(used: SlotRecord): void {
    this.#used.set(used.name, used);
    this.background.later(() => this.#throwAway(used));
  }

  /** Takes over waiting checkouts that no pool of this process knows. */
  async adopt(): Promise<void> {
    try {
      for (const record of await adoptSlots(this.#options))
        if (!this.free.has(record.name)) this.free.set(record.name, record);
    } catch (error) {
      // `ambit doctor` lists what cannot be removed now; no caller has to wait for it.
      this.#settings.onProblem?.(error);
    }
  }

  /**
   * Clean full trees stay for the next process. Used checkouts and layers are removed, because they are cheap to
   * create again.
   */
  async close(): Promise<void> {
    await this.background.stop();
    for (const record of this.#used.values()) await discardSlot(this.#options, record);
    this.#used.clear();
    if (await this.areCheap()) {
      // This includes checkouts that a killed process left, even if no request came since.
      await this.adopt();
      await discardWaiting(this.#options, [...this.free.values()]);
    }
    this.free.clear();
  }

  /** Each costs only a mount, so every checkout that was created is kept for the next worker. */
  async areCheap(): Promise<boolean> {
    const { setUp, dependencyWay } = this.#options;
    return this.#settings.size > 0 && setUp === undefined && canLayer(this.#options, dependencyWay);
  }

  async #refill(): Promise<void> {
    const commit = this.#commit;
    if (commit === undefined) return;
    await this.adopt();
    const isPossible = await canBePooled(this.#options.repository, commit);
    const most = (await this.areCheap()) ? MOST_LAYERS : this.#settings.size;
    await this.#shrink(isPossible ? most : 0);
    if (!isPossible) return;
    warmSession(this.#options.repository);
    const found = await findDependencies(this.#options, this.#options.dependencyFolders);
    const stale = [...this.free.values()].filter((record) => !hasDependencies(record, found));
    for (const { name } of stale) await this.#hold(name, (record) => this.#clean(record, commit));
    await this.#moveOneTo(commit);
    this.topUpLater();
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
  async #isShort(): Promise<boolean> {
    const { size, layersAhead = size } = this.#settings;
    const count = this.#count();
    if (!(await this.areCheap())) return count < size;
    const inUse = count - this.free.size;
    return count < MOST_LAYERS && this.free.size < Math.max(layersAhead, inUse);
  }

  #count(): number {
    return listRecordNames(this.#options.stateDirectory).filter((name) => name.startsWith(PREFIX)).length;
  }

  async #shrink(size: number): Promise<void> {
    for (const name of [...this.free.keys()].slice(0, Math.max(this.#count() - size, 0))) {
      this.free.delete(name);
      await holdSlot(this.#options, name, (record) => discardSlot(this.#options, record));
    }
  }

  /** The others are moved when they are handed out; until then the commit may change again. */
  async #moveOneTo(commit: string): Promise<void> {
    const waiting = [...this.free.values()];
    const [first] = waiting;
    if (first === undefined || waiting.some((record) => record.commit === commit)) return;
    // The result of `workspace.setup` may depend on the commit.
    const renew = this.#options.setUp === undefined ? moveWaiting : cleanSlot;
    await this.#hold(first.name, (record) =>
      this.#orThrowAway(record, () => renew(this.#options, record, commit)),
    );
  }

  /** Works on a waiting checkout while no other process can take it. */
  async #hold(name: string, renew: (record: SlotRecord) => Promise<SlotRecord>): Promise<void> {
    this.free.delete(name);
    const renewed = await holdSlot(this.#options, name, renew);
    if (renewed !== undefined) this.#offer(renewed);
  }

  #clean(record: SlotRecord, commit: string): Promise<SlotRecord> {
    return this.#orThrowAway(record, () => cleanSlot(this.#options, record, commit));
  }

  async #orThrowAway(record: SlotRecord, renew: () => Promise<SlotRecord>): Promise<SlotRecord> {
    try {
      return await renew();
    } catch (error) {
      await this.#throwAway(record);
      throw error;
    }
  }

  async #throwAway(record: SlotRecord): Promise<void> {
    await discardSlot(this.#options, record);
    this.#used.delete(record.name);
    this.refillLater();
  }

  #offer(record: SlotRecord): void {
    this.free.set(record.name, record);
    this.background.after(this.#settings.settleMs ?? SETTLE_MS, () => this.#settleIndexOf(record));
  }

  async #settleIndexOf(record: SlotRecord): Promise<void> {
    const isUntaken = this.free.get(record.name) === record;
    if (isUntaken)
      await holdSlot(this.#options, record.name, (held) => Promise.resolve(settleIndex(this.#options, held)));
  }

  /** Runs once for all requests that arrive before it begins. */
  #onceLater(name: string, work: () => Promise<void>): void {
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    this.background.later(() => {
      this.#asked.delete(name);
      return work();
    });
  }
}

export function newSlotName(): string {
  return `${PREFIX}${randomBase36(8)}`;
}
