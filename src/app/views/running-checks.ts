import type { JournalEvent } from "../../contract/journal-event.ts";
import type { OutlinedDelegation, StoreReader } from "../../journal/store.ts";
import { readNewestLine } from "../../verification/run-checks.ts";
import { readEvents } from "../project/journal-events.ts";

/** A check that runs now. */
export interface RunningCheck {
  readonly [key: string]: unknown;
  readonly id: string;
  readonly check: string;
  readonly since: string;
  /** The newest line of its output. */
  readonly last: string;
}

/** The checks that run on returned work, one per delegation at most. */
export async function listRunningChecks(
  reader: StoreReader,
  tree: readonly OutlinedDelegation[],
): Promise<RunningCheck[]> {
  const returned = tree.filter(({ state }) => state === "returned");
  const found = await Promise.all(
    returned.map(async ({ id }) => findRunningCheck(id, await readEvents(reader, { delegation: id }))),
  );
  return found.flat();
}

function findRunningCheck(id: string, events: readonly JournalEvent[]): readonly RunningCheck[] {
  const last = events.findLast(
    (event) => (event.type === "check-started" || event.type === "check-ended") && event.data.on === "work",
  );
  if (last?.type !== "check-started") return [];
  const { check, log } = last.data;
  return [{ id, check, since: last.at, last: readNewestLine(log) }];
}
