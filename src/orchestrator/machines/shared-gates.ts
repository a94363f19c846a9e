import type { Clock } from "../../base/clock.ts";
import type { Board } from "../../journal/machines.ts";
import type { RateGate } from "../../scheduler/rate-gate.ts";

export interface GateParts {
  readonly board: Pick<Board, "closeGate" | "listClosedGates" | "onNotice">;
  readonly rates: RateGate;
  readonly clock: Clock;
}

const LOOK_MS = 5000;

/** Informs other machines of full accounts, and adopts theirs. */
export class SharedGates {
  readonly #parts: GateParts;
  /** Gates that were not announced yet: monotonic times by provider. */
  readonly #untold = new Map<string, number>();
  readonly #unfollow: () => void;
  readonly #timer: NodeJS.Timeout;

  private constructor(parts: GateParts) {
    this.#parts = parts;
    const { board, rates } = parts;
    rates.onClosed((provider, untilMs) => {
      this.#untold.set(provider, untilMs);
      void this.#tell();
    });
    this.#unfollow = board.onNotice(({ kind }) => {
      if (kind === "gate") void this.#learn();
    });
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** Reads the gates that other machines have announced before anything is started. */
  static async open(parts: GateParts): Promise<SharedGates> {
    const gates = new SharedGates(parts);
    await gates.#look();
    return gates;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#unfollow();
  }

  /** Notices may be lost with a connection. */
  async #look(): Promise<void> {
    await this.#tell();
    await this.#learn();
  }

  /** A gate that cannot be announced now is announced with the next look. */
  async #tell(): Promise<void> {
    const { board, clock } = this.#parts;
    const untold = new Map(this.#untold);
    this.#untold.clear();
    for (const [provider, untilMs] of untold) {
      const waitMs = untilMs - clock.monotonicMs();
      if (waitMs <= 0) continue;
      await board.closeGate({ provider, waitMs }).catch(() => {
        if (!this.#untold.has(provider)) this.#untold.set(provider, untilMs);
      });
    }
  }

  async #learn(): Promise<void> {
    const { board, rates, clock } = this.#parts;
    const closed = await board.listClosedGates().catch(() => []);
    for (const { provider, waitMs } of closed) rates.keepClosed(provider, clock.monotonicMs() + waitMs);
  }
}
