import type { SlotLimits } from "../../scheduler/run-queue.ts";

/** The worker slots of the project and of each open story. A story may have fewer than the project, or more. */
export class StorySlots {
  readonly #ofProject: number;
  readonly #groups = new Map<string, number>();
  readonly #onChange: (limits: SlotLimits) => void;

  constructor(ofProject: number, onChange: (limits: SlotLimits) => void) {
    this.#ofProject = ofProject;
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

  get limits(): SlotLimits {
    const maxConcurrent = Math.max(this.#ofProject, ...this.#groups.values());
    return { maxConcurrent, groups: new Map(this.#groups) };
  }
}
