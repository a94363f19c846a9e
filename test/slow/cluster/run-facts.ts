import type { JournalEvent } from "../../../src/contract/journal-event.ts";

/** Something was done to a machine: it was killed, frozen or cut off. */
export interface Disturbance {
  readonly name: string;
  readonly at: number;
}

export interface RunFacts {
  readonly events: readonly JournalEvent[];
  /** The hash of each event, by its number. */
  readonly hashes: ReadonlyMap<number, string>;
  /** The coordinator's checkout. */
  readonly root: string;
  /** The clones of the worker machines. */
  readonly clones: readonly string[];
  readonly hub: string;
  readonly log: string;
  readonly limit: number;
  readonly disturbances: readonly Disturbance[];
  /** When frozen machines were let go on. */
  readonly thaws: readonly number[];
}

export function idsOf(events: readonly JournalEvent[], types: readonly string[]): readonly string[] {
  return events.flatMap(({ type, delegation }) =>
    types.includes(type) && delegation !== null ? [delegation] : [],
  );
}
