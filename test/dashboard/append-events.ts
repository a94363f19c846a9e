import { systemClock } from "../../src/base/clock.ts";
import type { NewEvent } from "../../src/contract/journal-event.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { JournalWriter } from "../../src/journal/sqlite/journal-writer.ts";
import { openForWriting } from "../../src/journal/sqlite/open-database.ts";

/** Appends events without the guards that would refuse them, because older versions may have written such events. */
export async function appendEvents(
  file: string,
  events: Iterable<NewEvent>,
  clock = systemClock,
): Promise<number> {
  await openStore(file).close();
  const database = openForWriting(file);
  const writer = new JournalWriter(database, clock);
  let count = 0;
  database.execute("PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
  for (const event of events) {
    writer.append(event);
    count += 1;
  }
  // Now the file contains everything, so that it can be copied.
  database.execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return count;
}
