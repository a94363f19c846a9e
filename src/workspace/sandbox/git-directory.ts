import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { workspaceErrors } from "../../errors/workspace.ts";
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
  writeFileSync(join(path, "config"), configText(repository, [...plain, ...user]));
  writeFileSync(join(path, "objects/info/alternates"), objects.map((folder) => `${folder}\n`).join(""));
  copyRules(passed, repository, path);
  copyIfThere(join(repository.commonDirectory, "shallow"), join(path, "shallow"));
  if (isSparse)
    copyIfThere(join(repository.gitDirectory, "info/sparse-checkout"), join(path, "info/sparse-checkout"));
  if (branch === undefined) return;
  mkdirSync(dirname(join(path, branch.ref)), { recursive: true });
  writeFileSync(join(path, branch.ref), `${branch.commit}\n`);
}

function configText(repository: Repository, settings: readonly (readonly [string, string])[]): string {
  const isPlain = repository.objectFormat === "sha1";
  const format = isPlain ? "" : `[extensions]\n\tobjectFormat = ${repository.objectFormat}\n`;
  const lines = settings.map(([key, value]) => {
    const dot = key.indexOf(".");
    return `[${key.slice(0, dot)}]\n\t${key.slice(dot + 1)} = ${quoted(value)}\n`;
  });
  return `[core]\n\trepositoryformatversion = ${isPlain ? "0" : "1"}\n\tbare = false\n${format}${lines.join("")}`;
}

function quoted(value: string): string {
  const escaped = value
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
  return `"${escaped}"`;
}

/** In git's order the user's own rules come last, after those of the repository. */
function copyRules(
  passed: readonly (readonly [string, string])[],
  repository: Repository,
  path: string,
): void {
  const own = join(repository.commonDirectory, "info");
  const personal = new Map(passed);
  const rules = [personal.get("core.excludesFile"), join(own, "exclude")].flatMap(readIfThere);
  const attributes = [personal.get("core.attributesFile"), join(own, "attributes")].flatMap(readIfThere);
  writeFileSync(join(path, "info/exclude"), Buffer.concat(rules));
  writeFileSync(join(path, "info/attributes"), Buffer.concat(attributes));
}

function readIfThere(path: string | undefined): readonly Buffer[] {
  return path !== undefined && isPlainFile(path) ? [readFileSync(path), Buffer.from("\n")] : [];
}

function copyIfThere(from: string, to: string): void {
  if (isPlainFile(from)) copyFileSync(from, to);
}

/** Links are followed, because these are the user's own files. A pipe would block us forever. */
function isPlainFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
