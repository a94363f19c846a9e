import { hostname } from "node:os";
import { openStore } from "./open-store.ts";
import type { RecordableEvent, Store } from "./model/store.ts";
import type { LeadOptions } from "./postgres/leadership.ts";
import { readMembership } from "./postgres/membership.ts";

export interface StoreRole {
  /** This machine only runs attempts; another one coordinates. */
  readonly isWorker?: boolean;
  /** Set by the process that coordinates the project. */
  readonly leads?: LeadOptions;
  /** Called in a cluster before an event is recorded. */
  readonly beforeRecord?: (event: RecordableEvent) => Promise<void>;
  /** Called when an event was refused because its story has ended. */
  readonly onTooLate?: (event: RecordableEvent) => Promise<void>;
}

/**
 * Opens a project's store for writing: the embedded one, or that of the cluster which the environment names. In a cluster only
 * the machine that coordinates the project's work may write, and those that run attempts for it.
 */
export async function openProjectStore(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  { isWorker = false, leads, ...around }: StoreRole = {},
): Promise<Store> {
  const membership = readMembership(file);
  if (membership === undefined) return openStore(file);
  // Loaded only here: an embedded project needs no client of PostgreSQL.
  const { openClusterStore, requireAddress } = await import("./postgres/open-cluster-store.ts");
  return openClusterStore(file, {
    project: membership.project,
    address: requireAddress(environment),
    ...(isWorker ? {} : { machine: { id: membership.machine, name: hostname() }, leads }),
    ...around,
  });
}
