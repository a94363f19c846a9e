import { delimiter, dirname } from "node:path";
import type { PlacedCommand } from "../ports/work-place.ts";
import { coverState } from "./cover-state.ts";
import { findForeignInstall, findForeignWord } from "./foreign-install.ts";
import { isInside, showAtOwnPath, type WorkspaceInProject } from "./show-at-own-path.ts";
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
  if (shown !== undefined) {
    const environment = addCeiling(command.environment, dirname(workTree));
    return { ...command, environment, cover, shown, tier: "pid-namespace" };
  }
  const environment = rewritePaths(command.environment, { from: workTree, to: place.path });
  const words = command.argv.at(-1) ?? "";
  const foreign = findForeignWord(words, environment, workTree) ?? findForeignInstall(environment, workTree);
  if (foreign !== undefined) throw orchestratorErrors.checkReachesCheckout(foreign, workTree);
  return { ...command, environment, cover };
}

type Environment = Readonly<Record<string, string>>;

/** A check that loses its `.git` must not find a repository above the project. */
function addCeiling(environment: Environment, folder: string): Environment {
  const before = environment["GIT_CEILING_DIRECTORIES"];
  const ceilings = [...(before === undefined ? [] : [before]), folder];
  return { ...environment, GIT_CEILING_DIRECTORIES: ceilings.join(delimiter) };
}

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
