import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { hasErrorCode } from "../../base/files.ts";
import type { AppContext } from "./app-context.ts";
import { openWorkspaces } from "./open-project.ts";

/** Why no story can start in a repository, and what to do about it. */
export interface Obstacle {
  readonly message: string;
  readonly recommendation: string;
}

type PlaceContext = Pick<AppContext, "directory" | "environment" | "homeDirectory">;

/** Examines the repository as the start of a story would; undefined if a story could start. Never throws. */
export async function findObstacle(context: PlaceContext): Promise<Obstacle | undefined> {
  const { checkRepository } = await import("../../workspace/preflight.ts");
  try {
    const { repository, stateDirectory } = await openWorkspaces(context);
    const { host, workTree } = repository;
    const { refusals } = await checkRepository({ directory: workTree, host, stateDirectory });
    return refusals[0];
  } catch (error) {
    // Without git, for example.
    const message = readErrorMessage(error);
    if (!(error instanceof DelegationError)) return { message, recommendation: "" };
    return { message, recommendation: error.recommendation };
  }
}

/** The files of a bare repository are git's own, so no setting can be written there. Any other obstacle is only told. */
export async function refuseBareRepository(context: PlaceContext): Promise<void> {
  try {
    await openWorkspaces(context);
  } catch (error) {
    if (hasErrorCode(error, "BARE_REPOSITORY")) throw error;
  }
}
