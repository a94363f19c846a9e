import { delimiter } from "node:path";
import { isInside } from "../../base/files.ts";
import type { PlacedCommand } from "../ports/work-place.ts";
import { coverState } from "./cover-state.ts";
import { findForeignInstall, findForeignWord } from "./foreign-install.ts";
import { placeAtOwnPath, showAtOwnPath, type WorkspaceInProject } from "./show-at-own-path.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";

/**
 * Puts a check into its checkout, with our state hidden. Where namespaces can be had, the checkout is at the project's own
 * path. Elsewhere paths inside the project are rewritten, and a check that could still reach the user's own files is
 * refused: it would prove the wrong code.
 */
export async function placeCheck(place: WorkspaceInProject, command: PlacedCommand): Promise<PlacedCommand> {
  const cover = coverState(place);
  const { workTree } = place.repository;
  const shown = await showAtOwnPath(place);
  if (shown !== undefined) return placeAtOwnPath({ ...command, cover }, shown);
  const environment = rewritePaths(command.environment, { from: workTree, to: place.path });
  const words = command.argv.at(-1) ?? "";
  const foreign = findForeignWord(words, environment, workTree) ?? findForeignInstall(environment, workTree);
  if (foreign !== undefined) throw orchestratorErrors.checkReachesCheckout(foreign, workTree);
  return { ...command, environment, cover };
}

type Environment = Readonly<Record<string, string>>;

/** Paths and lists of paths in all variables: PATH, VIRTUAL_ENV, PYTHONPATH and their like. */
export function rewritePaths(
  environment: Environment,
  { from, to }: { readonly from: string; readonly to: string },
): Environment {
  const move = (path: string): string => (isInside(path, from) ? to + path.slice(from.length) : path);
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.split(delimiter).map(move).join(delimiter),
    ]),
  );
}
