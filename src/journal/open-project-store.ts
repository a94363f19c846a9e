import { hostname } from "node:os";
import { openStore } from "./open-store.ts";
import type { Store } from "./model/store.ts";
import { readMembership } from "./postgres/membership.ts";

/**
 * Opens a project's store for writing: the embedded one, or that of the cluster which the environment names. In a cluster only
 * the machine that runs the project's work may write.
 */
export async function openProjectStore(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Store> {
  const membership = readMembership(file);
  if (membership === undefined) return openStore(file);
  // Loaded only here: an embedded project needs no client of PostgreSQL.
  const { openClusterStore, requireAddress } = await import("./postgres/open-cluster-store.ts");
  return openClusterStore(file, {
    project: membership.project,
    address: requireAddress(environment),
    machine: { id: membership.machine, name: hostname() },
  });
}
