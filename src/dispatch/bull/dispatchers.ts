import type { Dispatcher, DispatchPlace } from "./dispatcher.ts";
import { openBull } from "./open-bull.ts";

/** The dispatchers of a project, one for each pool, opened when they are needed. */
export class Dispatchers {
  readonly #place: Omit<DispatchPlace, "pool">;
  readonly #open = new Map<string, Dispatcher>();

  constructor(place: Omit<DispatchPlace, "pool">) {
    this.#place = place;
  }

  of(pool: string): Dispatcher {
    const known = this.#open.get(pool);
    if (known !== undefined) return known;
    const made = openBull({ ...this.#place, pool });
    this.#open.set(pool, made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((one) => one.close().catch(() => undefined)));
  }
}
