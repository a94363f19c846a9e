import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { copyIfPlainFile, isPlainFile } from "../files/plain-file.ts";
import { withScratchFolder } from "../files/scratch-folder.ts";
import { buildConfigText } from "./config-text.ts";
import { copyIndexWithTime } from "./copy-index.ts";
import { ASIDE_PATTERN, putAsideBlockers, type PutAside, type SearchedFolder } from "./put-aside.ts";
import { getObjectDirectory, type Repository } from "./repository.ts";
import type { GitPlace } from "./run-git.ts";
import { readSettings } from "./settings.ts";

export interface PrivateOptions {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly workTree: string;
  /** The meaning of `HEAD` in this call. */
  readonly head: string;
  /**
   * The folders of it that a worker can have written. Absent for the user's own trees, in which nothing is ever moved.
   */
  readonly written?: readonly SearchedFolder[];
  /** Patterns that are never taken from the work tree, in addition to the user's ignore rules. */
  readonly alsoIgnored?: readonly string[];
  /** Files and blobs have the same bytes: line ends, encodings and `$Id$` stay as they are. */
  readonly isExact?: boolean;
}

/** Git reads the last line of `info/attributes` before any other attributes. */
const NO_CONVERSION = "* -text -ident -filter -working-tree-encoding\n";

export interface PrivateGit {
  readonly place: GitPlace;
  /** A temporary folder of this call; only this call uses an index written here. */
  readonly directory: string;
  /** The files that were moved out of git's way before this call. */
  readonly putAside: readonly PutAside[];
}

/**
 * Reads or writes a work tree through a git directory made for this call alone. Its configuration names no hook, filter
 * or monitor, so the work tree and the shared configuration cannot start any program. Files at which git would wait in a
 * worker's tree are put aside first; the user's own files are never moved.
 */
export async function withPrivateGit<Result>(
  options: PrivateOptions,
  use: (git: PrivateGit) => Promise<Result>,
): Promise<Result> {
  const { repository } = options;
  const settings = await readSettings(repository);
  return withScratchFolder(options.stateDirectory, async (directory) => {
    mkdirSync(join(directory, "info"), { mode: 0o700 });
    mkdirSync(join(directory, "refs"));
    const putAside = await putAsideBlockers(options.workTree, options.written ?? []);
    writeFileSync(join(directory, "HEAD"), `${options.head}\n`);
    writeFileSync(join(directory, "config"), buildConfigText(repository, settings.passed));
    writeIgnoreRules(directory, options);
    const attributes = join(directory, "info", "attributes");
    if (options.isExact === true) writeFileSync(attributes, NO_CONVERSION);
    else copyIfPlainFile(join(repository.commonDirectory, "info", "attributes"), attributes);
    if (settings.isSparse)
      copyIfPlainFile(
        join(repository.gitDirectory, "info", "sparse-checkout"),
        join(directory, "info", "sparse-checkout"),
      );
    return use({ directory, putAside, place: buildPrivatePlace(directory, options) });
  });
}

/** Returns where to read an index: in place, unless it is a split index, whose other half git expects next to it. */
export function findReadableIndex(git: PrivateGit, indexFile: string): string {
  return copySharedIndex(git, indexFile) ? copyPrivateIndex(git, indexFile) : indexFile;
}

/** Copies the other half of a split index; false if there is none. */
export function copySharedIndex(git: PrivateGit, indexFile: string): boolean {
  const folder = dirname(indexFile);
  const shared = readdirSync(folder).filter((name) => name.startsWith("sharedindex."));
  for (const name of shared) copyIfPlainFile(join(folder, name), join(git.directory, name));
  return shared.length > 0;
}

/** Returns a copy that this call may write. */
export function copyPrivateIndex(git: PrivateGit, indexFile: string): string {
  const copy = join(git.directory, "index");
  if (isPlainFile(indexFile)) copyIndexWithTime(indexFile, copy);
  return copy;
}

function buildPrivatePlace(directory: string, options: PrivateOptions): GitPlace {
  return {
    searchPath: options.repository.host.searchPath,
    gitDirectory: directory,
    workTree: options.workTree,
    indexFile: join(directory, "index"),
    objectDirectory: getObjectDirectory(options.repository),
  };
}

function writeIgnoreRules(directory: string, options: PrivateOptions): void {
  const own = join(options.repository.commonDirectory, "info", "exclude");
  const rules = isPlainFile(own) ? readFileSync(own) : Buffer.alloc(0);
  const added = [...(options.alsoIgnored ?? []), ASIDE_PATTERN].map((pattern) => `${pattern}\n`).join("");
  writeFileSync(join(directory, "info", "exclude"), Buffer.concat([rules, Buffer.from(`\n${added}`)]));
}
