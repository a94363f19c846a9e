import { orchestratorErrors } from "../../errors/orchestrator.ts";
import type { PlacedCommand } from "../ports/work-place.ts";
import { findForeignInstall, findForeignWord } from "./foreign-install.ts";
import { placeInWorkspace, type WorkspaceInProject } from "./show-at-own-path.ts";

/**
 * Puts a check into its checkout. Without a view of files of its own, a check that could still reach the user's own files
 * is refused: it would prove the wrong code.
 */
export async function placeCheck(place: WorkspaceInProject, command: PlacedCommand): Promise<PlacedCommand> {
  const placed = await placeInWorkspace(place, command);
  if (placed.shown !== undefined) return placed;
  const { workTree } = place.repository;
  const { environment } = placed;
  const words = command.argv.at(-1) ?? "";
  const foreign = findForeignWord(words, environment, workTree) ?? findForeignInstall(environment, workTree);
  if (foreign !== undefined) throw orchestratorErrors.checkReachesCheckout(foreign, workTree);
  return placed;
}
