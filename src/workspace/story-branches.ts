import { join } from "node:path";
import { readRegularFile, listFolder } from "../base/files.ts";
import { UNDO_REFS } from "./git/ref-names.ts";

const STORY_BRANCHES = "refs/heads/ambit/";
const MAX_PACKED_BYTES = 256 * 1024 * 1024;

/**
 * The stories that have a branch of proven work, and whether it was merged into a branch of the user's. Only names are
 * needed, so git's own files are read: starting git would take longer than the rest of `ambit list`.
 */
export function listStoryBranches(
  commonDirectory: string,
): ReadonlyMap<string, { readonly isMerged: boolean }> {
  const packed = readRegularFile(join(commonDirectory, "packed-refs"), MAX_PACKED_BYTES)?.toString("latin1");
  const merged = listNames(commonDirectory, UNDO_REFS, packed ?? "");
  const stories = listNames(commonDirectory, STORY_BRANCHES, packed ?? "");
  return new Map([...stories].map((story) => [story, { isMerged: merged.has(story) }]));
}

/** A ref is a file of its own or a line `<id> <ref>` of one file; a lock of git's next to it is neither. */
function listNames(commonDirectory: string, prefix: string, packed: string): ReadonlySet<string> {
  const names = new Set(listFolder(join(commonDirectory, prefix)).filter((name) => !name.endsWith(".lock")));
  for (let at = packed.indexOf(` ${prefix}`); at !== -1; at = packed.indexOf(` ${prefix}`, at + 1))
    names.add(packed.slice(at + 1 + prefix.length, packed.indexOf("\n", at)));
  return names;
}
