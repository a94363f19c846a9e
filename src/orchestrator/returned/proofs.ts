import type { Step } from "../ports/step.ts";
import { KeyedLock } from "../live/keyed-lock.ts";

const moved: Step = { kind: "moved" };

/** The proofs that are being made. A stop ends the checks of one instead of waiting for them. */
export class Proofs {
  readonly #branches = new KeyedLock();
  readonly #aborts = new Map<string, AbortController>();

  /** One at a time per branch: what is proven on a tree must be merged into that tree. */
  async run(id: string, branch: string, prove: (signal: AbortSignal) => Promise<Step>): Promise<Step> {
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    let hasBegun = false;
    const proof = this.#branches.run(branch, async () => {
      if (abort.signal.aborted) return moved;
      hasBegun = true;
      return prove(abort.signal);
    });
    // Who only waits for the branch need not wait for whoever has it.
    const stopped = whenAborted(abort.signal).then(() => (hasBegun ? proof : moved));
    try {
      return await Promise.race([proof, stopped]);
    } finally {
      this.#aborts.delete(id);
    }
  }

  stop(id: string): void {
    this.#aborts.get(id)?.abort();
  }

  stopAll(): void {
    for (const abort of this.#aborts.values()) abort.abort();
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
