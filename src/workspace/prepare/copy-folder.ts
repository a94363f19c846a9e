import { readdir, readlink, realpath, rm, symlink } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { runCommand } from "../../base/run-command.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { isPythonEnvironment, relocateEnvironment } from "./relocate.ts";

export interface Roots {
  /** The checkout that the folder comes from. */
  readonly fromRoot: string;
  readonly toRoot: string;
}

const COPY_TIMEOUT_MS = 1_800_000;

export interface SettleRequest extends Roots {
  readonly path: string;
  /** Links by absolute path into `fromRoot`, relative to the folder. */
  readonly links: readonly string[];
}

/** Adapts paths inside a copied folder to its new place. */
export async function settleFolder(request: SettleRequest): Promise<void> {
  const { fromRoot, toRoot, path } = request;
  const folder = join(toRoot, path);
  for (const name of request.links) {
    const link = join(folder, name);
    const target = await readlink(link);
    await rm(link);
    await symlink(`${toRoot}${target.slice(fromRoot.length)}`, link);
  }
  if (isPythonEnvironment(folder)) relocateEnvironment(folder, { fromRoot, toRoot });
}

/** Finds links by absolute path into a checkout, through which a worker would reach the user's files. */
export async function findLinksInto(folder: string, root: string, below = ""): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const name = join(below, entry.name);
    if (entry.isDirectory()) found.push(...(await findLinksInto(folder, root, name)));
    if (entry.isSymbolicLink() && (await isLinkInto(join(folder, name), root))) found.push(name);
  }
  return found;
}

async function isLinkInto(link: string, root: string): Promise<boolean> {
  const target = await readlink(link).catch(() => "");
  return target === root || target.startsWith(`${root}${sep}`);
}

/**
 * Copies a dependency folder byte for byte, sharing disk blocks if the file system can. Never links into the user's
 * tree: `npm ci` through a symbolic link empties the original, and writing through a hard link changes it.
 */
export async function copyFolderRaw(searchPath: string, source: string, target: string): Promise<void> {
  const flags = process.platform === "darwin" ? ["-cpR"] : ["-a", "--reflink=auto"];
  const outcome = await runCommand({
    // The user's folder may be a link to one that several checkouts share.
    argv: ["cp", ...flags, "--", await realpath(source), target],
    cwd: dirname(target),
    environment: { PATH: searchPath, LC_ALL: "C" },
    timeoutMs: COPY_TIMEOUT_MS,
  });
  if (outcome.exitCode === 0) return;
  await rm(target, { recursive: true, force: true });
  throw workspaceErrors.dependenciesNotCopied(source, outcome.stderr.toString("utf8").trim().slice(-500));
}
