import { basename } from "node:path";
import { type LayerEntry, type LayerState, recallEntries } from "./layer-state.ts";

/** The paths are arguments of one command, which limits their length. */
const MAX_PATH_BYTES = 64 * 1024;
/** The rules in these files apply to other files, too. */
const RULE_FILES: ReadonlySet<string> = new Set([".gitignore", ".gitattributes", ".gitmodules"]);

/**
 * Lists the paths at which a checkout can differ from a commit that it once held exactly: those whose entries in its
 * layer have changed since. A folder covers everything below it. Undefined if only git can tell.
 */
export function listWrittenPaths(
  look: LayerState | undefined,
  commit: string,
): readonly string[] | undefined {
  const before = look === undefined ? undefined : recallEntries(look, commit);
  if (look === undefined || before === undefined) return undefined;
  const paths = [...new Set([...before.keys(), ...look.entries.keys()])].filter((path) =>
    isWritten(before.get(path), look.entries.get(path)),
  );
  return paths.some(affectsOthers) || Buffer.byteLength(paths.join()) > MAX_PATH_BYTES ? undefined : paths;
}

/** A folder that shows the shared one now has changed nevertheless if it showed another one before. */
function isWritten(before: LayerEntry | undefined, now: LayerEntry | undefined): boolean {
  if (now?.facts === before?.facts) return false;
  return now?.showsShared !== true || before?.showsShared === false;
}

function affectsOthers(path: string): boolean {
  return RULE_FILES.has(basename(path)) || path.split("/").includes(".git");
}
