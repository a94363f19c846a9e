import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRegularText } from "../../base/files.ts";
import { isObjectId } from "../git/read-head.ts";

/** A repository with more files than this next to its objects was made to be slow. */
const MAX_FILES = 20_000;

/** The files in which git names commits: HEAD, branches, tags, the stash, and their earlier values. */
const places = ["HEAD", "ORIG_HEAD", "FETCH_HEAD", "packed-refs", "refs", "logs", "worktrees"] as const;

/**
 * Lists every object that a git directory names, read as plain text; undefined if it cannot be read with certainty. A
 * worker can have written anything there, so nothing is run and no link is followed.
 */
export function listNamedObjects(gitDirectory: string): ReadonlySet<string> | undefined {
  const stats = lstatSync(gitDirectory, { throwIfNoEntry: false });
  if (stats === undefined) return new Set();
  if (!stats.isDirectory()) return undefined;
  const waiting = places.map((name) => join(gitDirectory, name));
  const found = new Set<string>();
  for (let count = 0; waiting.length > 0; count += 1) {
    const path = waiting.pop() ?? "";
    const entry = lstatSync(path, { throwIfNoEntry: false });
    const text = entry?.isFile() === true ? readRegularText(path) : "";
    const isUnclear = entry !== undefined && !entry.isFile() && !entry.isDirectory();
    if (count > MAX_FILES || text === undefined || isUnclear) return undefined;
    if (entry?.isDirectory() === true) waiting.push(...readdirSync(path).map((name) => join(path, name)));
    for (const word of text.split(/[ \t\n]/)) if (isObjectId(word) && !/^0+$/.test(word)) found.add(word);
  }
  return found;
}
