import type { JournalEvent } from "../../src/contract/journal-event.ts";

const starts: ReadonlySet<string> = new Set(["attempt-started", "delegation-rejoined"]);
const ends: ReadonlySet<string> = new Set([
  "attempt-ended",
  "attempt-lost",
  "attempt-retried",
  "delegation-parked",
  "delegation-returned",
  "delegation-closed",
]);

/** The most workers that held a slot at any instant, replayed from the journal. */
export function mostAtOnce(events: readonly JournalEvent[]): number {
  const running = new Set<string>();
  let most = 0;
  for (const { type, delegation } of events) {
    if (delegation === null || !delegation.includes("-DEL-")) continue;
    if (starts.has(type)) running.add(delegation);
    if (ends.has(type)) running.delete(delegation);
    most = Math.max(most, running.size);
  }
  return most;
}
