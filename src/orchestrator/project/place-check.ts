import { findFileNaming } from "../../workspace/find-naming.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
import type { PlacedCommand } from "../ports/work-place.ts";
import { findForeignInstall, findForeignWord } from "./foreign-install.ts";
import { placeInWorkspace, type WorkspaceInProject } from "./show-at-own-path.ts";

/** The checkout of a commit. */
interface CheckPlace extends WorkspaceInProject {
  readonly commit: string;
}

/**
 * Puts a check into its checkout. Without a view of files of its own, a check that could still reach the user's own files
 * is refused: it would prove the wrong code.
 */
export async function placeCheck(place: CheckPlace, command: PlacedCommand): Promise<PlacedCommand> {
  const placed = await placeInWorkspace(place, command);
  if (placed.shown !== undefined) return placed;
  const { workTree } = place.repository;
  const { environment } = placed;
  const words = command.argv.join("\n");
  const foreign =
    findForeignWord(words, environment, workTree) ??
    findForeignInstall(environment, workTree) ??
    (await findFileNaming(place.repository, place.commit));
  if (foreign !== undefined) throw orchestratorErrors.checkReachesCheckout(foreign, workTree);
  return placed;
}
