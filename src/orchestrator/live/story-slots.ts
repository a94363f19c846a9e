import type { SlotLimits } from "../../scheduler/run-queue.ts";
import type { MachineSlots } from "../ports/remote-attempts.ts";

/** The worker slots of the project and of each open story. A story may have fewer than the project, or more. */
export class StorySlots {
  readonly #ofProject: number;
  readonly #groups = new Map<string, number>();
  readonly #onChange: (limits: SlotLimits) => void;
  readonly #cap: number | undefined;
  #ofMachines: MachineSlots | undefined;

  /** With a cap, no story has more slots than the cap. */
  constructor(ofProject: number, onChange: (limits: SlotLimits) => void, cap?: number) {
    this.#ofProject = ofProject;
    this.#cap = cap;
    this.#onChange = onChange;
  }

  take(story: string, max: number | undefined): void {
    if (max === undefined || this.#groups.get(story) === max) return;
    this.#groups.set(story, max);
    this.#onChange(this.limits);
  }

  /** When a story ends, the additional slots that it asked for go, too. */
  forget(story: string): void {
    if (this.#groups.delete(story)) this.#onChange(this.limits);
  }

  /** Caps the slots to those that the machines of a cluster have. */
  capTo(ofMachines: MachineSlots): void {
    if (this.#ofMachines !== undefined && isSame(this.#ofMachines, ofMachines)) return;
    this.#ofMachines = ofMachines;
    this.#onChange(this.limits);
  }

  get limits(): SlotLimits {
    const wanted = this.#cap ?? Math.max(this.#ofProject, ...this.#groups.values());
    const { total = Number.POSITIVE_INFINITY, pools } = this.#ofMachines ?? {};
    return { maxConcurrent: Math.min(wanted, total), groups: new Map(this.#groups), pools };
  }
}

function isSame(one: MachineSlots, other: MachineSlots): boolean {
  const isSize = one.total === other.total && one.pools.size === other.pools.size;
  return isSize && [...one.pools].every(([pool, slots]) => other.pools.get(pool) === slots);
}
