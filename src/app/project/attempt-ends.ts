import { projectErrors } from "../../errors/project.ts";
import type { Delegation, StoreReader } from "../../journal/store.ts";
import { eventsOfType, readEvents } from "./journal-events.ts";

/** Which attempts of a delegation are compared; without `compareWith`, one with what it started from. */
export interface AttemptPair {
  readonly attempt: number;
  readonly compareWith?: number | undefined;
}

/** The two commits whose difference is the work of one attempt, or what changed between two. */
export async function findAttemptEnds(
  reader: StoreReader,
  { id, base }: Delegation,
  { attempt, compareWith }: AttemptPair,
): Promise<{ readonly from: string; readonly to: string }> {
  const kept = eventsOfType(await readEvents(reader, { delegation: id }), "work-kept");
  const find = (number: number) => {
    const last = kept.findLast((event) => event.attempt === number);
    if (last === undefined) throw projectErrors.attemptNotKept(id, number);
    return last.data;
  };
  const { tip: to, base: start } = find(attempt);
  return { from: compareWith === undefined ? (base ?? start) : find(compareWith).tip, to };
}
