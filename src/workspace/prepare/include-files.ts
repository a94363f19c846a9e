import { constants, copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { pathExists } from "../../base/files.ts";
import { makeParentFolders } from "../files/safe-path.ts";
import type { Repository } from "../git/repository.ts";
import type { SlotRecord } from "../records/record.ts";
import { listIgnored } from "./list-ignored.ts";

type Included = SlotRecord["included"];

export interface IncludeRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** Patterns in the format of `.gitignore`, from the settings. */
  readonly include: readonly string[];
  /** The checkout that receives the files. */
  readonly path: string;
}

/** The file that lists, in the format of `.gitignore`, the ignored files (such as `.env`) that a worker needs. */
const LIST_NAME = ".worktreeinclude";

/** The files that yarn has instead of `node_modules` with Plug'n'Play; yarn advises to ignore them. */
const yarnPatterns: readonly string[] = ["/.pnp.*", "/.yarn/"];

/** Copies the ignored files that the settings and `.worktreeinclude` name, except those that the commit already has. */
export async function includeFiles(request: IncludeRequest): Promise<Included> {
  const { repository, path } = request;
  const names = await listIncluded(request);
  return names.flatMap((name) => {
    const signature = readFileSignature(join(repository.workTree, name));
    const isNew = signature !== undefined && !pathExists(join(path, name));
    return isNew && copyIncluded(repository.workTree, path, name) ? [{ path: name, signature }] : [];
  });
}

/** Copies files again that the user has changed since; a slot may have waited for hours. */
export function refreshIncluded(workTree: string, record: SlotRecord): Included {
  const isCurrent = record.included.every(
    ({ path, signature }) => readFileSignature(join(workTree, path)) === signature,
  );
  if (isCurrent) return record.included;
  return record.included.flatMap(({ path }) => {
    const signature = readFileSignature(join(workTree, path));
    rmSync(join(record.path, path), { force: true });
    return signature !== undefined && copyIncluded(workTree, record.path, path) ? [{ path, signature }] : [];
  });
}

async function listIncluded(request: IncludeRequest): Promise<readonly string[]> {
  const { repository, stateDirectory } = request;
  const patterns = listIncludePatterns(request);
  if (patterns.length === 0) return [];
  const names = await listIgnored(request, patterns);
  const state = relative(repository.workTree, stateDirectory);
  return names
    .filter((name) => !name.endsWith("/"))
    .filter((name) => isAbsolute(state) || !name.startsWith(`${state}/`));
}

/** The patterns of the settings, of the project's own list and of yarn, as git takes them. */
export function listIncludePatterns({
  repository,
  include,
}: Pick<IncludeRequest, "include" | "repository">): readonly string[] {
  const { workTree } = repository;
  const list = join(workTree, LIST_NAME);
  const yarn = existsSync(join(workTree, ".pnp.cjs")) ? yarnPatterns : [];
  const named = [...include, ...yarn].map((pattern) => `--exclude=${pattern}`);
  return existsSync(list) ? [...named, `--exclude-from=${list}`] : named;
}

function copyIncluded(workTree: string, target: string, name: string): boolean {
  if (!makeParentFolders(target, name)) return false;
  const flags = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
  try {
    // The copy follows a link: the worker gets the content, never a path into the user's tree.
    copyFileSync(join(workTree, name), join(target, name), flags);
    return true;
  } catch {
    // The file is gone or unreadable; the list of brought files shows that.
    return false;
  }
}

function readFileSignature(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() === true
    ? `${String(stats.ino)}:${String(stats.size)}:${String(stats.mtimeNs)}`
    : undefined;
}
