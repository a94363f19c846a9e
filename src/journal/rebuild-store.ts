import { openForWriting } from "./sqlite/open-database.ts";
import { rebuildProjections } from "./sqlite/rebuild.ts";

/** Throws every projection away and replays the journal; returns how many events it replayed. */
export function rebuildStore(file: string): number {
  const database = openForWriting(file);
  try {
    return rebuildProjections(database);
  } finally {
    database.close();
  }
}
