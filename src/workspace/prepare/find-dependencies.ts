import { lstatSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pathExists } from "../../base/files.ts";
import { runWithoutAbort } from "../../base/task-abort.ts";
import { isEnvironmentFolder } from "../files/private-names.ts";
import type { Repository } from "../git/repository.ts";
import { fingerprintFolder } from "./fingerprint.ts";
import { listIgnored } from "./list-ignored.ts";
import { isPythonEnvironment } from "./relocate.ts";

export interface FoundDependency {
  /** The path relative to the checkout. */
  readonly path: string;
  readonly signature: string;
}

export const defaultDependencyFolders: readonly string[] = [
  "node_modules",
  ".venv",
  "venv",
  "vendor",
  "target",
];

/** A pooled checkout may wait for long, so it should not start with old content. */
export const RECALL_MS = 10_000;

interface FindContext {
  readonly repository: Repository;
  readonly stateDirectory: string;
}

interface Search {
  readonly paths: readonly string[];
  readonly at: number;
}

/** The result of the last full search, per checkout and list of names. */
const remembered = new Map<string, Search>();
const searches = new Map<string, Promise<readonly string[]>>();

/**
 * Finds ignored folders with the given names in the user's checkout, and Python environments of any name. A tracked
 * `vendor` comes with the commit anyway.
 */
export async function findDependencies(
  context: FindContext,
  names: readonly string[],
): Promise<readonly FoundDependency[]> {
  if (names.length === 0) return [];
  const key = buildSearchKey(context, names);
  // Twenty workspaces created at once share one search.
  const looking = searches.get(key) ?? runWithoutAbort(() => searchDependencies(context, names));
  searches.set(key, looking);
  try {
    const paths = await looking;
    remembered.set(key, { paths, at: performance.now() });
    return signDependencies(context, paths);
  } finally {
    searches.delete(key);
  }
}

/** Finds the folders without walking through the whole checkout again if that was done recently. */
export async function recallDependencies(
  context: FindContext,
  names: readonly string[],
  maxAgeMs = Number.POSITIVE_INFINITY,
): Promise<readonly FoundDependency[]> {
  const last = remembered.get(buildSearchKey(context, names));
  const isYoung = last !== undefined && performance.now() - last.at < maxAgeMs;
  return (isYoung ? lastFoundDependencies(context, names) : undefined) ?? findDependencies(context, names);
}

/** Returns the folders of the last search as they are now; undefined without a search, or if one of them is gone. */
export function lastFoundDependencies(
  context: FindContext,
  names: readonly string[],
): readonly FoundDependency[] | undefined {
  const paths = remembered.get(buildSearchKey(context, names))?.paths;
  const isStillRight = paths?.every((path) => pathExists(join(context.repository.workTree, path))) ?? false;
  return paths !== undefined && isStillRight ? signDependencies(context, paths) : undefined;
}

async function searchDependencies(
  context: FindContext,
  names: readonly string[],
): Promise<readonly string[]> {
  const entries = await listIgnored(context, [
    "--exclude-standard",
    // No snapshot takes these, even if the project's ignore rules do not name them.
    ...names.filter(isEnvironmentFolder).map((name) => `--exclude=${name}`),
    "--directory",
  ]);
  const { workTree } = context.repository;
  return entries
    .filter(
      (entry) =>
        entry.endsWith("/") || (names.includes(basename(entry)) && isLinkedFolder(join(workTree, entry))),
    )
    .map((entry) => (entry.endsWith("/") ? entry.slice(0, -1) : entry))
    .filter((path) => names.includes(basename(path)) || isPythonEnvironment(join(workTree, path)))
    .filter((path) => !path.startsWith(".ambit/"));
}

/** Worktrees of one repository often share their dependencies through a link. */
function isLinkedFolder(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink() && statSync(path).isDirectory();
  } catch {
    // The link leads nowhere, or it was removed meanwhile.
    return false;
  }
}

function signDependencies({ repository }: FindContext, paths: readonly string[]): readonly FoundDependency[] {
  return paths.map((path) => ({ path, signature: fingerprintFolder(join(repository.workTree, path)) }));
}

function buildSearchKey({ repository }: FindContext, names: readonly string[]): string {
  return [repository.workTree, ...names].join("\0");
}
