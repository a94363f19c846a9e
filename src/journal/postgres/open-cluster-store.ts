import { clusterErrors } from "../../errors/cluster.ts";
import { hasCurrentProjections, openForReading, openForWriting } from "../sqlite/open-database.ts";
import { rebuildProjections } from "../sqlite/rebuild.ts";
import { type ClusterAddress, readClusterAddress } from "./address.ts";
import { type ClusterPlace, PostgresStore } from "./postgres-store.ts";

/** The address that every process of a project in a cluster needs. */
export function requireAddress(environment: Readonly<Record<string, string | undefined>>): ClusterAddress {
  const address = readClusterAddress(environment);
  if (address === undefined) throw clusterErrors.addressMissing();
  return address;
}

/** Opens this machine's tables and brings them up to the journal in PostgreSQL. */
export async function openClusterStore(file: string, place: ClusterPlace): Promise<PostgresStore> {
  const writer = openForWriting(file);
  if (!hasCurrentProjections(writer)) rebuildProjections(writer);
  const reader = openForReading(file);
  if (reader === undefined) throw new TypeError("the tables were not made");
  const store = new PostgresStore({ writer, reader }, place);
  try {
    await store.start();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
