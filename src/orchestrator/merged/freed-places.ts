import type { Delegation } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { freeClosed } from "./close-delegation.ts";
import { KeyedLock } from "../live/keyed-lock.ts";

/** Puts the places of those that have ended away, while their managers go on. */
export class FreedPlaces {
  readonly #lock = new KeyedLock();

  /** Whoever sees a story end finds nothing half put away; who waits for a worker waits for its result only. */
  async free(tools: RunTools, delegation: Delegation): Promise<void> {
    // What cannot even be noted, on a full disk for example, is found by the next runtime.
    const freed = this.#lock.run(delegation.id, () => freeClosed(tools, delegation)).catch(() => undefined);
    if (delegation.parent !== null) return;
    await freed;
    await this.idle();
  }

  keys(): readonly string[] {
    return this.#lock.keys();
  }

  idle(): Promise<void> {
    return this.#lock.idle();
  }
}
