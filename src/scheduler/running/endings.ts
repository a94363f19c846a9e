import type { JobState } from "../choosing/job.ts";
import type { Settled } from "./run-end.ts";

interface Ending {
  readonly group: string;
  settled: Settled | undefined;
  readonly waiters: ((settled: Settled) => void)[];
}

/** The end of every job that was ever added, until its group is forgotten. */
export class Endings {
  readonly #endings = new Map<string, Ending>();
  readonly #known = new Map<string, JobState>();

  /** A job that waits again has not ended; those who wait for its end keep waiting. */
  openJob(id: string, group: string): void {
    const waiters = this.#endings.get(id)?.waiters ?? [];
    this.#endings.set(id, { group, settled: undefined, waiters });
    this.#known.delete(id);
  }

  parkJob(id: string): void {
    this.#known.set(id, "parked");
  }

  settleJob(id: string, settled: Settled): void {
    const ending = this.#endings.get(id);
    if (ending === undefined) return;
    this.#known.set(id, settled.kind === "succeeded" ? "succeeded" : "unsuccessful");
    ending.settled = settled;
    for (const resolve of ending.waiters.splice(0)) resolve(settled);
  }

  /** Undefined for an id that was never added, or was forgotten. */
  whenSettled(id: string): Promise<Settled> | undefined {
    const ending = this.#endings.get(id);
    if (ending === undefined) return undefined;
    const { settled, waiters } = ending;
    return settled === undefined
      ? new Promise((resolve) => void waiters.push(resolve))
      : Promise.resolve(settled);
  }

  isParked(id: string): boolean {
    return this.#known.get(id) === "parked";
  }

  listParked(): readonly string[] {
    return [...this.#known.keys()].filter((id) => this.isParked(id));
  }

  /** In the form that `chooseNext` needs. */
  readStates(): ReadonlyMap<string, JobState> {
    return this.#known;
  }

  /** Only ended jobs go; waiting and parked ones are still needed. */
  forgetGroup(group: string): void {
    for (const [id, ending] of this.#endings) {
      if (ending.group !== group || ending.settled === undefined) continue;
      this.#endings.delete(id);
      this.#known.delete(id);
    }
  }
}
