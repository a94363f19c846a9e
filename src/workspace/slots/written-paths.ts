import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { getUpperFolder } from "../prepare/layers.ts";
import type { SlotRecord } from "../records/record.ts";
import { type LayerEntries, type LayerEntry, type LayerState, recallEntries } from "./layer-state.ts";

/** The paths are arguments of one command, which limits their length. */
const MAX_PATH_BYTES = 64 * 1024;
/** The rules in these files apply to other files, too. */
const RULE_FILES: ReadonlySet<string> = new Set([".gitignore", ".gitattributes", ".gitmodules"]);

/**
 * Lists the paths at which a checkout can differ from a commit that it once held exactly: those whose entries in its
 * layer have changed since. A folder covers everything below it. Undefined if only git can tell.
 */
export function listWrittenPaths(
  record: SlotRecord,
  look: LayerState | undefined,
  commit: string,
): readonly string[] | undefined {
  const before = look === undefined ? undefined : recallEntries(look, commit);
  if (look === undefined || before === undefined) return undefined;
  const paths = [...new Set([...before.keys(), ...look.entries.keys()])].filter((path) =>
    isWritten(record, look.entries, { path, before: before.get(path) }),
  );
  return paths.some(affectsOthers) || Buffer.byteLength(paths.join()) > MAX_PATH_BYTES ? undefined : paths;
}

interface EarlierEntry {
  readonly path: string;
  readonly before: LayerEntry | undefined;
}

function isWritten(record: SlotRecord, entries: LayerEntries, { path, before }: EarlierEntry): boolean {
  const now = entries.get(path);
  if (now?.facts === before?.facts) return false;
  // An inode does not distinguish two folders: the number of a removed folder is used again.
  return now?.isFolder !== true || !showsSharedFolder(record, path);
}

/**
 * Whether a folder in the layer shows the shared folder of its path below it, so that everything else in it is unchanged.
 * A folder that was made again hides it, and a renamed folder shows another one; then no file in it belongs to that path.
 */
function showsSharedFolder({ layers, path: checkout }: SlotRecord, path: string): boolean {
  return layers.some(({ lower, folder }) =>
    lower.some((tree) => {
      const written = new Set(listNames(join(getUpperFolder(folder), path)));
      const shared = listNames(join(tree, path)).find((name) => !written.has(name));
      return shared !== undefined && isSameFile(join(tree, path, shared), join(checkout, path, shared));
    }),
  );
}

function listNames(folder: string): readonly string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];
}

/** A file seen through a layer has the inode of the file below it, which no other name may share. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) =>
    lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  );
  if (first === undefined || first.ino !== second?.ino) return false;
  return first.isDirectory() || first.nlink === 1n;
}

function affectsOthers(path: string): boolean {
  return RULE_FILES.has(basename(path)) || path.split("/").includes(".git");
}
