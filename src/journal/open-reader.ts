import { openForReading } from "./sqlite/open-database.ts";
import { SqliteReader } from "./sqlite/reader.ts";
import type { StoreReader } from "./model/store.ts";

/** Opens the store for reading, with no supervisor and no write; undefined when nothing was ever stored. */
export function openReader(file: string): StoreReader | undefined {
  const database = openForReading(file);
  return database === undefined ? undefined : new SqliteReader(database);
}
