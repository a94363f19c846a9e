import { DelegationError } from "../base/delegation-error.ts";
import { readMembership } from "../journal/refresh-tables.ts";
import type { Delegation } from "../journal/store.ts";
import { storeFile } from "../journal/store-file.ts";
import { getStateDirectory } from "../project/state-directory.ts";
import { ReceivedOutput } from "./machines/received-output.ts";
import type { Environment } from "./ports/story-origins.ts";

/**
 * Called before logs are read: brings the output of agents on other machines of the cluster. Without the cluster's
 * address, or while its database cannot be reached, the logs are those that this machine has.
 */
export async function bringOutput(
  place: { readonly projectRoot: string; readonly environment: Environment },
  delegations: readonly Pick<Delegation, "id" | "attempt">[],
): Promise<void> {
  const { projectRoot, environment } = place;
  const project = readMembership(storeFile(projectRoot))?.project;
  if (project === undefined) return;
  const { Board, readClusterAddress } = await import("../journal/machines.ts");
  const address = readClusterAddress(environment);
  if (address === undefined) return;
  const board = new Board(address, project);
  const received = new ReceivedOutput({ board, stateDirectory: getStateDirectory(projectRoot) });
  try {
    for (const { id, attempt: newest } of delegations)
      for (let attempt = 1; attempt <= newest; attempt += 1)
        await received.bring({ delegation: id, attempt });
  } catch (error) {
    if (!(error instanceof DelegationError && error.code === "CLUSTER_UNREACHABLE")) throw error;
  } finally {
    await board.close();
  }
}
