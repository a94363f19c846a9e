import { constants, copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { pathExists } from "../../base/files.ts";
import { makeParentFolders } from "../files/safe-path.ts";
import { findReadableIndex, withPrivateGit } from "../git/private-directory.ts";
import type { Repository } from "../git/repository.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";
import type { SlotRecord } from "../records/record.ts";

type Included = SlotRecord["included"];

export interface IncludeRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** Patterns in the format of `.gitignore`, from the settings. */
  readonly include: readonly string[];
  /** The checkout that receives the files. */
  readonly path: string;
}

/** Lists, in the format of `.gitignore`, the ignored files (such as `.env`) that a worker needs. */
const LIST_NAME = ".worktreeinclude";

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
  const { repository, stateDirectory, include } = request;
  const list = join(repository.workTree, LIST_NAME);
  const patterns = [
    ...include.map((pattern) => `--exclude=${pattern}`),
    ...(existsSync(list) ? [`--exclude-from=${list}`] : []),
  ];
  if (patterns.length === 0) return [];
  const { stdout } = await withPrivateGit(
    { repository, stateDirectory, workTree: repository.workTree, head: "0".repeat(40) },
    (git) =>
      runGit({
        place: { ...git.place, indexFile: findReadableIndex(git, join(repository.gitDirectory, "index")) },
        arguments: ["ls-files", "-z", "--others", "--ignored", ...patterns],
      }),
  );
  const state = relative(repository.workTree, stateDirectory);
  return splitAtZeros(stdout)
    .map((name) => name.toString("utf8"))
    .filter((name) => !name.endsWith("/") && !name.includes("\uFFFD"))
    .filter((name) => isAbsolute(state) || !name.startsWith(`${state}/`));
}

function copyIncluded(workTree: string, target: string, name: string): boolean {
  if (!makeParentFolders(target, name)) return false;
  const flags = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
  try {
    // Follows a link: the worker gets the content, never a path into the user's tree.
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
