import { repeatWhileLost } from "./pg-errors.ts";
import type { RemoteJournal } from "./remote-journal.ts";

/** How a process holds the role of the coordinator. */
export interface LeadOptions {
  readonly leaseMs: number;
  /** Called when another process coordinates the project. All further writes of this process are refused. */
  readonly onReplaced: () => void;
}

const BEAT_MS = 2000;

/** The coordinator's role: an epoch of its own, and a lease that tells others that this process is alive. */
export class Leadership {
  readonly #remote: RemoteJournal;
  readonly #options: LeadOptions;
  #epoch: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(remote: RemoteJournal, options: LeadOptions) {
    this.#remote = remote;
    this.#options = options;
  }

  /** Undefined until it has begun. */
  get epoch(): number | undefined {
    return this.#epoch;
  }

  /** The machine must have the role already. */
  async begin(machine: string): Promise<void> {
    const { leaseMs } = this.#options;
    this.#epoch = await repeatWhileLost(() => this.#remote.lead(machine, leaseMs));
    this.#timer = setInterval(() => void this.#renew(), Math.min(BEAT_MS, leaseMs / 5));
    this.#timer.unref();
  }

  /** Another machine may take the role at once. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#epoch !== undefined) await this.#remote.leadOn(this.#epoch, 0).catch(() => undefined);
  }

  /** While the database cannot be reached nothing is decided; the epoch is checked with every step. */
  async #renew(): Promise<void> {
    if (this.#epoch === undefined) return;
    const isOurs = await this.#remote.leadOn(this.#epoch, this.#options.leaseMs).catch(() => true);
    if (isOurs) return;
    clearInterval(this.#timer);
    this.#options.onReplaced();
  }
}
