import type { Clock } from "../base/clock.ts";
import { learnSecrets } from "../redaction/learn-secrets.ts";
import { hasCurrentProjections, openForWriting } from "./sqlite/open-database.ts";
import { rebuildProjections } from "./sqlite/rebuild.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";
import type { Store } from "./model/store.ts";

/** Opens the store for writing, creating or migrating it; projections of another version are rebuilt first. */
export function openStore(file: string, clock?: Clock): Store {
  learnSecrets(process.env);
  const database = openForWriting(file);
  if (!hasCurrentProjections(database)) rebuildProjections(database);
  return new SqliteStore(database, clock);
}
