import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getTemporaryFolder } from "../base/temporary-folder.ts";
import { workspaceErrors } from "../errors/workspace.ts";
import {
  buildRemoteEnvironment,
  describeReason,
  fetchRepository,
  listTreeFolder,
  readFetchedHead,
  readTreeEntry,
  REMOTE_MS,
  type RemotePlace,
} from "./git/fetch-repository.ts";
import type { Repository } from "./git/repository.ts";
import { readGitLine, runGit, type GitPlace } from "./git/run-git.ts";
import { readSettings } from "./git/settings.ts";

export interface PublishRequest extends Omit<RemotePlace, "ref"> {
  /** The repository whose author the commit names. */
  readonly repository: Repository;
  /** The file's name, without folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly message: string;
  /** Searched in this order; the file goes to the first folder that holds a file of the same kind, else to `usual`. */
  readonly folders: readonly string[];
  readonly usual: string;
  readonly isWanted: (name: string) => boolean;
  readonly mayReplace: boolean;
  /** Only reports what would happen. */
  readonly isDryRun: boolean;
}

export interface PublishedFile {
  readonly status: "add" | "replace" | "same" | "differs";
  readonly path: string;
  readonly branch: string;
  /** Null if nothing was published. */
  readonly commit: string | null;
}

const FALLBACK_BRANCH = "refs/heads/main";

/** Adds one file to another repository as a commit on its main branch. Nothing is checked out; only this file changes. */
export async function publishFile(request: PublishRequest): Promise<PublishedFile> {
  const directory = mkdtempSync(join(getTemporaryFolder(), "ambit-publish-"));
  const { searchPath } = request.host;
  const place = { searchPath, gitDirectory: directory, indexFile: join(directory, "publish-index") };
  try {
    await runGit({ place, arguments: ["init", "--quiet", "--bare", "--template=", directory] });
    const { branch, isEmpty } = await findBranch(place, request);
    if (!isEmpty) await fetchRepository(place, request);
    const from = isEmpty ? undefined : await readFetchedHead(place);
    const { path, status } = await findPath(place, request, from);
    const isWritten = status === "add" || status === "replace";
    if (!isWritten || request.isDryRun) return { status, path, branch, commit: null };
    const commit = await commitFile(place, request, { path, from });
    await pushCommit(place, request, { commit, branch });
    return { status, path, branch, commit };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The branch that a clone would check out. */
async function findBranch(
  place: GitPlace,
  { url, host }: PublishRequest,
): Promise<{ readonly branch: string; readonly isEmpty: boolean }> {
  try {
    const { stdout } = await runGit({
      place,
      arguments: ["ls-remote", "--symref", "--end-of-options", url, "HEAD"],
      environment: buildRemoteEnvironment(host),
      timeoutMs: REMOTE_MS,
    });
    const lines = stdout.toString("utf8").split("\n");
    const named = lines.find((line) => line.startsWith("ref: "))?.split(/[\s]/u)[1];
    const isEmpty = !lines.some((line) => /^[0-9a-f]{40,64}\tHEAD$/u.test(line));
    return { branch: named ?? FALLBACK_BRANCH, isEmpty };
  } catch (error) {
    throw workspaceErrors.notFetched(url, describeReason(error), error);
  }
}

async function findPath(
  place: GitPlace,
  { folders, usual, isWanted, name, bytes, maxBytes, mayReplace }: PublishRequest,
  from: string | undefined,
): Promise<Pick<PublishedFile, "path" | "status">> {
  for (const folder of from === undefined ? [] : folders) {
    const entries = (await listTreeFolder(place, from ?? "", folder)).filter((entry) => isWanted(entry.name));
    if (entries.length === 0) continue;
    const path = folder === "" ? name : `${folder}/${name}`;
    const known = entries.find((entry) => entry.name === name);
    if (known === undefined) return { path, status: "add" };
    const file = await readTreeEntry(place, known, maxBytes);
    const isSame = "bytes" in file && Buffer.from(file.bytes).equals(bytes);
    return { path, status: isSame ? "same" : mayReplace ? "replace" : "differs" };
  }
  return { path: `${usual}/${name}`, status: "add" };
}

async function commitFile(
  place: GitPlace,
  { repository, bytes, message }: PublishRequest,
  { path, from }: { readonly path: string; readonly from: string | undefined },
): Promise<string> {
  if (from !== undefined) await runGit({ place, arguments: ["read-tree", from] });
  const blob = await readGitLine({ place, arguments: ["hash-object", "-w", "--stdin"], stdin: bytes });
  await runGit({ place, arguments: ["update-index", "--add", "--cacheinfo", `100644,${blob},${path}`] });
  const tree = await readGitLine({ place, arguments: ["write-tree"] });
  const { userName, userEmail } = await readSettings(repository);
  const name = userName ?? "ambit";
  const email = userEmail ?? "ambit@localhost";
  return readGitLine({
    place,
    arguments: ["commit-tree", ...(from === undefined ? [] : ["-p", from]), tree],
    stdin: message,
    environment: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    },
  });
}

/** Git refuses the push if another person has published meanwhile. */
async function pushCommit(
  place: GitPlace,
  { url, host }: PublishRequest,
  { commit, branch }: { readonly commit: string; readonly branch: string },
): Promise<void> {
  try {
    await runGit({
      place,
      arguments: ["push", "--quiet", "--no-thin", "--end-of-options", url, `${commit}:${branch}`],
      environment: buildRemoteEnvironment(host),
      timeoutMs: REMOTE_MS,
    });
  } catch (error) {
    throw workspaceErrors.notPublished(url, describeReason(error), error);
  }
}
