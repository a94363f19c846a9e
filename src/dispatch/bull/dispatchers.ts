import type { Dispatcher, DispatchPlace } from "./dispatcher.ts";
import { type BullConnection, connectBull, openBull } from "./open-bull.ts";

/** The dispatchers of a project, one for each pool and machine, opened when they are needed. */
export class Dispatchers {
  readonly #place: Omit<DispatchPlace, "pool">;
  readonly #open = new Map<string, Dispatcher>();
  #connection: BullConnection | undefined;

  constructor(place: Omit<DispatchPlace, "pool">) {
    this.#place = place;
  }

  of(pool: string): Dispatcher {
    const known = this.#open.get(pool);
    if (known !== undefined) return known;
    this.#connection ??= connectBull(this.#place);
    const made = openBull({ ...this.#place, pool }, this.#connection);
    this.#open.set(pool, made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((one) => one.close().catch(() => undefined)));
    await this.#connection?.close();
  }
}
