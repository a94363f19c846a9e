import type { SlotLimits } from "../../scheduler/run-queue.ts";

/** The worker slots of the project and of each open story. A story may have fewer than the project, or more. */
export class StorySlots {
  readonly #ofProject: number;
  readonly #groups = new Map<string, number>();
  readonly #onChange: (limits: SlotLimits) => void;
  readonly #cap: number | undefined;
  #ofMachines = Number.POSITIVE_INFINITY;

  /** With a cap, no story has more than that. */
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

  /** A story that asked for more than the project has takes its slots with it when it ends. */
  forget(story: string): void {
    if (this.#groups.delete(story)) this.#onChange(this.limits);
  }

  /** No more than the machines of a cluster have. */
  capTo(ofMachines: number): void {
    if (this.#ofMachines === ofMachines) return;
    this.#ofMachines = ofMachines;
    this.#onChange(this.limits);
  }

  get limits(): SlotLimits {
    const wanted = this.#cap ?? Math.max(this.#ofProject, ...this.#groups.values());
    const maxConcurrent = Math.min(wanted, this.#ofMachines);
    return { maxConcurrent, groups: new Map(this.#groups) };
  }
}
