import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { workspaceErrors } from "../../errors/workspace.ts";
import { copyIfPlainFile, isPlainFile } from "../files/plain-file.ts";
import { buildConfigText } from "../git/config-text.ts";
import type { Repository } from "../git/repository.ts";
import { readSettings } from "../git/settings.ts";

export interface GitDirectoryRequest {
  readonly repository: Repository;
  readonly path: string;
  /** The folders that objects are borrowed from. */
  readonly objects: readonly string[];
  /** The content of HEAD, and the commit of its branch if it is one. */
  readonly head: string;
  readonly branch?: { readonly ref: string; readonly commit: string };
}

/** Settings that name files of the user, which do not exist in a sandbox. */
const FILE_SETTINGS: ReadonlySet<string> = new Set(["core.excludesFile", "core.attributesFile"]);

/**
 * Writes a git directory without objects, remotes or hooks: the result of `git clone --shared` without the way back.
 * The user's ignore rules, including personal ones, are copied into it.
 */
export async function writeGitDirectory(request: GitDirectoryRequest): Promise<void> {
  const { repository, path, objects, branch } = request;
  if (objects.some((folder) => folder.includes("\n")))
    throw workspaceErrors.objectFolderUnusable(repository.commonDirectory);
  const { passed, userName, userEmail, isSparse } = await readSettings(repository);
  for (const name of ["objects/info", "objects/pack", "refs/heads", "info"])
    mkdirSync(join(path, name), { recursive: true, mode: 0o700 });
  writeFileSync(join(path, "HEAD"), `${request.head}\n`);
  const plain = passed.filter(([key]) => !FILE_SETTINGS.has(key));
  const user = [
    ["user.name", userName ?? "ambit"],
    ["user.email", userEmail ?? "ambit@localhost"],
  ] as const;
  writeFileSync(join(path, "config"), buildConfigText(repository, [...plain, ...user]));
  writeFileSync(join(path, "objects/info/alternates"), objects.map((folder) => `${folder}\n`).join(""));
  copyIgnoreRules(passed, repository, path);
  copyIfPlainFile(join(repository.commonDirectory, "shallow"), join(path, "shallow"));
  if (isSparse)
    copyIfPlainFile(
      join(repository.gitDirectory, "info/sparse-checkout"),
      join(path, "info/sparse-checkout"),
    );
  if (branch === undefined) return;
  mkdirSync(dirname(join(path, branch.ref)), { recursive: true });
  writeFileSync(join(path, branch.ref), `${branch.commit}\n`);
}

/** In git's order the user's own rules come last, after those of the repository. */
function copyIgnoreRules(
  passed: readonly (readonly [string, string])[],
  repository: Repository,
  path: string,
): void {
  const own = join(repository.commonDirectory, "info");
  const personal = new Map(passed);
  const rules = [personal.get("core.excludesFile"), join(own, "exclude")].flatMap(readIfPlainFile);
  const attributes = [personal.get("core.attributesFile"), join(own, "attributes")].flatMap(readIfPlainFile);
  writeFileSync(join(path, "info/exclude"), Buffer.concat(rules));
  writeFileSync(join(path, "info/attributes"), Buffer.concat(attributes));
}

function readIfPlainFile(path: string | undefined): readonly Buffer[] {
  return path !== undefined && isPlainFile(path) ? [readFileSync(path), Buffer.from("\n")] : [];
}
