import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import type { GitHost } from "./repository.ts";
import { runGit, splitAtZeros, type GitPlace } from "./run-git.ts";

export type RemoteHost = GitHost & { readonly sshAgent?: string | undefined };

export interface RemotePlace {
  readonly url: string;
  /** A branch or tag; the remote's HEAD if absent. */
  readonly ref?: string | undefined;
  /** Larger files are left out. */
  readonly maxBytes: number;
  readonly host: RemoteHost;
}

export type RemoteFile =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly problem: string };

export const REMOTE_MS = 60_000;
const MAX_FETCHED_BYTES = 64 * 1024 * 1024;
const LOOK_MS = 200;
const REGULAR = new Set(["100644", "100755"]);

/** Other protocols, such as `ext::`, would run a program. */
const protocols = ["https", "ssh", "file"] as const;

/** Fetches one commit of a foreign repository, with a deadline and a size limit. */
export async function fetchRepository(
  place: GitPlace,
  { url, ref, host, maxBytes }: RemotePlace,
): Promise<void> {
  const abort = new AbortController();
  const timer = setInterval(() => {
    if (measureFolder(place.gitDirectory) > MAX_FETCHED_BYTES) abort.abort();
  }, LOOK_MS);
  try {
    await runGit({
      place,
      arguments: [
        "-c",
        "transfer.fsckObjects=true",
        "-c",
        "fetch.unpackLimit=1",
        "fetch",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        "--no-auto-maintenance",
        `--filter=blob:limit=${maxBytes + 1}`,
        "--end-of-options",
        url,
        ref ?? "HEAD",
      ],
      environment: buildRemoteEnvironment(host),
      timeoutMs: REMOTE_MS,
      abort: abort.signal,
    });
  } catch (error) {
    throw workspaceErrors.notFetched(
      url,
      abort.signal.aborted ? describeTooLarge() : describeReason(error),
      error,
    );
  } finally {
    clearInterval(timer);
  }
}

/**
 * The variables with which git may reach another repository. It never asks for a password, because no person can answer.
 */
export function buildRemoteEnvironment(host: RemoteHost): Readonly<Record<string, string>> {
  return {
    HOME: host.home,
    GIT_ALLOW_PROTOCOL: protocols.join(":"),
    GIT_SSH_COMMAND: "ssh -o BatchMode=yes -o ClearAllForwardings=yes -o ForwardAgent=no",
    ...(host.sshAgent === undefined ? {} : { SSH_AUTH_SOCK: host.sshAgent }),
  };
}

export async function readFetchedHead(place: GitPlace): Promise<string> {
  const { stdout } = await runGit({
    place,
    arguments: ["rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}"],
  });
  return stdout.toString("utf8").trim();
}

export interface TreeEntry {
  readonly mode: string;
  readonly object: string;
  readonly name: string;
}

/** The files directly in a folder of a commit. */
export async function listTreeFolder(
  place: GitPlace,
  commit: string,
  folder: string,
): Promise<readonly TreeEntry[]> {
  // 128: the folder does not exist.
  const { stdout, exitCode } = await runGit({
    place,
    arguments: ["ls-tree", "-z", `${commit}:${folder}`],
    accept: [128],
  });
  if (exitCode !== 0) return [];
  return splitAtZeros(stdout).flatMap((entry) => {
    const [facts = "", name = ""] = entry.toString("utf8").split("\t");
    const [mode = "", kind = "", object = ""] = facts.split(" ");
    return kind === "tree" ? [] : [{ mode, object, name }];
  });
}

/** A regular file that is not too large. */
export async function readTreeEntry(
  place: GitPlace,
  { mode, object, name }: TreeEntry,
  mostBytes: number,
): Promise<RemoteFile> {
  if (!REGULAR.has(mode))
    return { name, problem: mode === "120000" ? "it is a symbolic link" : "it is not a regular file" };
  const known = await runGit({ place, arguments: ["cat-file", "-s", object], accept: [1, 128] });
  const size = Number(known.stdout.toString("utf8"));
  // The object was above the limit, so the filter left it out.
  if (known.exitCode !== 0 || size > mostBytes)
    return { name, problem: `it has more than ${mostBytes} bytes` };
  const { stdout } = await runGit({ place, arguments: ["cat-file", "blob", object] });
  return { name, bytes: stdout };
}

function measureFolder(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
      (sum, entry) => sum + (entry.isFile() ? measureFile(join(entry.parentPath, entry.name)) : 0),
      0,
    );
  } catch {
    // The folder changed during the count; the next count includes it.
    return 0;
  }
}

function measureFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function describeTooLarge(): string {
  return `it is larger than ${MAX_FETCHED_BYTES / 1024 / 1024} MiB`;
}

/** The end of git's output about an error. */
export function describeReason(error: unknown): string {
  if (!(error instanceof DelegationError)) return "git could not be run";
  return error.message.split("\n").at(-1) ?? error.message;
}
