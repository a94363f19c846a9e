import { dirname, sep } from "node:path";
import { isInside, pathExists } from "../../base/files.ts";
import type { Cover, HiddenFolder } from "../../containment/contained-process.ts";
import { getAgentHomes } from "../../project/agent-homes.ts";
import { COVER_MARK } from "../../project/covered-state.ts";
import { getPersonSocket } from "../../project/socket-paths.ts";

export interface CoveredPlace {
  readonly stateDirectory: string;
  /** The folder in which the command works. */
  readonly path: string;
  /** Entries that belong to the command: it may write them. */
  readonly own?: readonly string[];
  readonly readable?: readonly string[];
}

/**
 * Hides the state folder and the homes of agents from a worker, a check or a setup, except for named entries: the store,
 * the person's socket and everything of other workers stay hidden. It has effect if the command gets a view of files of
 * its own.
 */
export function coverState({ stateDirectory, path, own = [], readable = [] }: CoveredPlace): Cover {
  const isBelow = (entry: string): boolean => entry.startsWith(stateDirectory + sep);
  const socket = getPersonSocket(stateDirectory);
  // A path that does not exist needs no cover, and bubblewrap would create it.
  const isElsewhere = !isBelow(socket) && pathExists(socket);
  return {
    folder: stateDirectory,
    mark: COVER_MARK,
    writable: [path, ...own].filter(isBelow),
    readable: readable.filter((entry) => isBelow(entry) && !own.includes(entry)),
    files: isElsewhere ? [socket] : [],
    others: hideHomes(stateDirectory, own),
  };
}

/** The homes of all projects: each holds a login. */
function hideHomes(stateDirectory: string, own: readonly string[]): readonly HiddenFolder[] {
  const folder = dirname(getAgentHomes(stateDirectory));
  if (isInside(folder, stateDirectory) || !pathExists(folder)) return [];
  return [{ folder, writable: own.filter((entry) => isInside(entry, folder)) }];
}
