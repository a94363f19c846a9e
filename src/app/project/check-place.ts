import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import type { AppContext } from "./app-context.ts";
import { openWorkspaces } from "./open-project.ts";

/** Why no story can start in a repository, and what to do about it. */
export interface Obstacle {
  readonly code: DelegationError["code"];
  readonly message: string;
  readonly recommendation: string;
}

/** Examines the repository as the start of a story would; undefined if a story could start. Never throws. */
export async function findObstacle(
  context: Pick<AppContext, "directory" | "environment" | "homeDirectory">,
): Promise<Obstacle | undefined> {
  const { checkRepository } = await import("../../workspace/preflight.ts");
  try {
    const { repository, stateDirectory } = await openWorkspaces(context);
    const { host, workTree } = repository;
    const { refusals } = await checkRepository({ directory: workTree, host, stateDirectory });
    return refusals[0];
  } catch (error) {
    // Without git, for example.
    const message = readErrorMessage(error);
    if (!(error instanceof DelegationError)) return { code: "GIT_FAILED", message, recommendation: "" };
    return { code: error.code, message, recommendation: error.recommendation };
  }
}
