import { openForWriting } from "./sqlite/open-database.ts";
import { rebuildProjections } from "./sqlite/rebuild.ts";

/** Drops every projection and replays the journal; returns the number of replayed events. */
export function rebuildStore(file: string): number {
  const database = openForWriting(file);
  try {
    return rebuildProjections(database);
  } finally {
    database.close();
  }
}
