import { realpathSync } from "node:fs";
import { join } from "node:path";
import { workspaceErrors } from "../../errors/workspace.ts";
import { askGitInFolder, type GitPlace } from "./run-git.ts";

/** Values from the caller's environment; the environment itself is read elsewhere. */
export interface GitHost {
  /** PATH */
  readonly searchPath: string;
  /** HOME */
  readonly home: string;
  /** XDG_CONFIG_HOME, if set. */
  readonly configHome?: string;
}

/** The user's repository and the checkout the story works from. All paths are absolute and resolved. */
export interface Repository {
  readonly host: GitHost;
  /** The user's checkout. */
  readonly workTree: string;
  /** The git directory of that checkout: the common one, or that of a linked worktree. */
  readonly gitDirectory: string;
  readonly commonDirectory: string;
  readonly isShallow: boolean;
  readonly objectFormat: string;
}

/** A repository and the folder of Ambit's own state about it. */
export interface ProjectContext {
  readonly repository: Repository;
  readonly stateDirectory: string;
}

/** Finds the repository around a folder; refuses a folder without one, and a bare repository. */
export async function openRepository(directory: string, host: GitHost): Promise<Repository> {
  const answer = await askGitInFolder({
    searchPath: host.searchPath,
    directory,
    environment: personalEnvironment(host),
    arguments: [
      "rev-parse",
      "--path-format=absolute",
      "--is-bare-repository",
      "--is-shallow-repository",
      "--show-object-format",
      "--git-dir",
      "--git-common-dir",
      "--show-toplevel",
    ],
  });
  const lines = answer.stdout.toString("utf8").split("\n");
  const [bare, shallow, objectFormat = "sha1", gitDirectory, commonDirectory, workTree] = lines;
  if (bare === "true") throw workspaceErrors.bareRepository(directory);
  if (answer.exitCode !== 0 || gitDirectory === undefined || commonDirectory === undefined || !workTree)
    throw isForeign(answer.stderr)
      ? workspaceErrors.foreignCheckout(directory)
      : workspaceErrors.notACheckout(directory, readFirstLine(answer.stderr));
  // Git separates its answers with line breaks, and the answers end with one.
  const isUnusable = lines.length !== 7 || !Buffer.from(lines.join("\n")).equals(answer.stdout);
  if (isUnusable) throw workspaceErrors.unusablePath(directory);
  return {
    host,
    workTree: realpathSync(workTree),
    gitDirectory: realpathSync(gitDirectory),
    commonDirectory: realpathSync(commonDirectory),
    isShallow: shallow === "true",
    objectFormat,
  };
}

/** A place for refs and objects only, without a work tree or an index. */
export function getRefPlace(repository: Repository): GitPlace {
  return { searchPath: repository.host.searchPath, gitDirectory: repository.commonDirectory };
}

export function getObjectDirectory(repository: Repository): string {
  return join(repository.commonDirectory, "objects");
}

export function personalEnvironment(host: GitHost): Record<string, string> {
  return { HOME: host.home, ...(host.configHome === undefined ? {} : { XDG_CONFIG_HOME: host.configHome }) };
}

/** Git's own protection against repositories that another user left in a shared place. */
function isForeign(text: string): boolean {
  return text.includes("detected dubious ownership");
}

function readFirstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
