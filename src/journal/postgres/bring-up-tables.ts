import { DelegationError } from "../../base/delegation-error.ts";
import { readClusterAddress } from "./address.ts";
import { openClusterStore } from "./open-cluster-store.ts";

interface Member {
  readonly project: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns why the tables may be old: there is no address, or PostgreSQL does not answer. */
export async function bringUpTables(
  file: string,
  { project, environment }: Member,
): Promise<string | undefined> {
  const address = readClusterAddress(environment);
  if (address === undefined) return "AMBIT_CLUSTER_URL is not set";
  try {
    const store = await openClusterStore(file, { project, address });
    await store.close();
    return undefined;
  } catch (error) {
    if (error instanceof DelegationError && error.code === "CLUSTER_UNREACHABLE") return error.message;
    throw error;
  }
}
