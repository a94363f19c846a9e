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
  readonly thaws: readonly Disturbance[];
}

export function idsOf(events: readonly JournalEvent[], types: readonly string[]): readonly string[] {
  return events.flatMap(({ type, delegation }) =>
    types.includes(type) && delegation !== null ? [delegation] : [],
  );
}

/** The parts by the names that their agents know. */
export function nameParts(events: readonly JournalEvent[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { type, delegation, data } of events) {
    const name = type === "delegation-admitted" ? /S\d+-P\d+/.exec(data.description)?.[0] : undefined;
    if (name !== undefined && delegation !== null) names.set(name, delegation);
  }
  return names;
}
