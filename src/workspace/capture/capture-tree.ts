import { isDiskFull } from "../../base/file-trouble.ts";
import { isNearlyFull } from "../../base/free-space.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import type { ChangedEntry } from "../git/change-tree.ts";
import { copyPrivateIndex } from "../git/private-directory.ts";
import type { Repository } from "../git/repository.ts";
import { type GitPlace, readGitLine, runGit } from "../git/run-git.ts";
import { isNestedRepository, type StatusEntry } from "../git/status.ts";
import { findEnvironment, findEnvironmentRoots, looksSecret } from "../files/private-names.ts";
import { type CompareRequest, compareWithHead } from "./compare-tree.ts";
import { findLfsFiles, type LfsFile, stageLfsFiles } from "./lfs-files.ts";
import { listNestedFiles } from "./nested-files.ts";
import { joinWithZeros, leaveOutFiltered, type LeftOut, type Sorted, sortOutPaths } from "./sort-out.ts";
import { writeOwnTree } from "./write-own-tree.ts";

export interface CaptureRequest extends CompareRequest {
  /** Files above this size are left out; no limit if undefined. */
  readonly maxFileBytes?: number;
  /** Files behind these filters stay as committed, because a filter is never run. */
  readonly filters: readonly string[];
  /** Where Git LFS keeps content. Set for a worker's files: changed ones behind LFS are stored there, as LFS would. */
  readonly lfsDirectory?: string;
  /** Whether a repository inside the tree is captured as plain files or left out. */
  readonly nested: "as-files" | "leave-out";
  /**
   * Lets a tree with few changes be written without starting git; only if the index is that of `head`. The caller brings
   * the index up to date afterwards.
   */
  readonly inProcess?: { readonly repository: Repository; readonly head: string };
  /** Untracked files that look like secrets or environments are left out: they are the user's, not a worker's. */
  readonly isPublicOnly?: boolean;
}

export interface Capture {
  /** Undefined if the work tree is exactly that of HEAD. */
  readonly tree: string | undefined;
  /**
   * Whether the temporary folder holds the index that was compared, and the tree if git wrote that; otherwise the index
   * that was read still holds HEAD.
   */
  readonly hasNewIndex: boolean;
  readonly conflicted: number;
  /** How many paths differ from HEAD. */
  readonly counts: ChangeCounts;
  readonly leftOut: readonly LeftOut[];
  /** The differences between HEAD and the tree, if it was written without git; no index has them yet. */
  readonly changes?: readonly ChangedEntry[];
}

export interface ChangeCounts {
  readonly changed: number;
  readonly untracked: number;
}

export const noChanges = { conflicted: 0, counts: { changed: 0, untracked: 0 } } as const;

/**
 * Writes the work tree, untracked files included, as a tree object, with an index of its own. `git add` would start
 * git inside every nested repository, with the configuration found there.
 */
export async function captureTree(request: CaptureRequest): Promise<Capture> {
  const { git } = request;
  const { entries: all, hasNewIndex } = await compareWithHead(request);
  const { kept, leftOut: hidden } =
    request.isPublicOnly === true ? leaveOutPrivate(all) : { kept: all, leftOut: [] };
  const lfs = await findLfsFiles(git, kept.filter(isPlainEntry));
  const unchanged = new Set(lfs.filter(({ isInHead }) => isInHead).map(({ entry }) => entry));
  const entries = kept.filter((entry) => !unchanged.has(entry));
  if (entries.length === 0) return { tree: undefined, hasNewIndex, ...noChanges, leftOut: hidden };
  const nested = await takeNestedFiles(
    request,
    entries.filter(isNestedRepository).map(({ path }) => path),
  );
  const plain = entries.filter(isPlainEntry);
  const filtered = await leaveOutFiltered({ git, filters: request.filters, entries: plain });
  const changed = request.lfsDirectory === undefined ? [] : pickEntries(lfs, filtered.kept);
  const behindLfs = new Set(changed.map(({ entry }) => entry));
  const usual = filtered.kept.filter((entry) => !behindLfs.has(entry));
  const sorted = sortOutPaths({
    workTree: git.place.workTree ?? "",
    maxFileBytes: request.maxFileBytes ?? Infinity,
    removed: usual.filter((entry) => entry.isRemoved).map(({ path }) => path),
    present: [...usual.filter((entry) => !entry.isRemoved).map(({ path }) => path), ...nested.files],
  });
  const isPlain = changed.length === 0 && !entries.some(({ kind }) => kind === "conflicted");
  const facts = {
    conflicted: entries.filter((entry) => entry.kind === "conflicted").length,
    counts: countEntries(entries),
    leftOut: [...hidden, ...nested.leftOut, ...filtered.leftOut, ...sorted.leftOut],
  };
  const { inProcess } = request;
  const own =
    inProcess !== undefined && isPlain ? await writeOwnTree({ ...inProcess, git, sorted }) : undefined;
  if (own !== undefined) return { ...own, hasNewIndex, ...facts };
  if (!hasNewIndex) copyPrivateIndex(git, request.indexFile);
  const refused = await stageChanges(git.place, sorted);
  const changing = await stageLfsFiles(git, request.lfsDirectory ?? "", changed);
  return {
    tree: await readGitLine({ place: git.place, arguments: ["write-tree", "--missing-ok"] }),
    hasNewIndex: true,
    ...facts,
    leftOut: [...facts.leftOut, ...refused, ...changing],
  };
}

function isPlainEntry(entry: StatusEntry): boolean {
  return !entry.isStaged && !isNestedRepository(entry);
}

function pickEntries(files: readonly LfsFile[], entries: readonly StatusEntry[]): readonly LfsFile[] {
  const wanted = new Set(entries);
  return files.filter(({ entry }) => wanted.has(entry));
}

function countEntries(entries: readonly StatusEntry[]): ChangeCounts {
  const plain = entries.filter((entry) => !isNestedRepository(entry));
  const untracked = plain.filter(({ kind }) => kind === "untracked").length;
  return { changed: plain.length - untracked, untracked };
}

interface TakenNested {
  readonly files: readonly Buffer[];
  readonly leftOut: readonly LeftOut[];
}

async function takeNestedFiles(request: CaptureRequest, folders: readonly Buffer[]): Promise<TakenNested> {
  if (request.nested === "as-files" && folders.length > 0) return listNestedFiles(request.git, folders);
  return { files: [], leftOut: folders.map((path) => ({ path, reason: "nested-repository" })) };
}

const STAGE_TIMEOUT_MS = 1_800_000;

async function stageChanges(place: GitPlace, { removed, added }: Sorted): Promise<readonly LeftOut[]> {
  await removeFromIndex(place, removed);
  return stageCapturedFiles(place, added);
}

/** Removes paths from the index, whatever is now at them in the work tree. */
async function removeFromIndex(place: GitPlace, paths: readonly Buffer[]): Promise<void> {
  if (paths.length === 0) return;
  const words = ["update-index", "-z", "--force-remove", "--stdin"];
  await runGit({ place, arguments: words, stdin: joinWithZeros(paths), timeoutMs: STAGE_TIMEOUT_MS });
}

/**
 * Stores files and links. A file that git cannot read fails the whole batch, so the batch is halved until that file
 * is alone; the rest of a worker's changes is always kept.
 */
async function stageCapturedFiles(place: GitPlace, paths: readonly Buffer[]): Promise<readonly LeftOut[]> {
  if (paths.length === 0) return [];
  const words = ["update-index", "-z", "--add", "--replace", "--stdin"];
  const { exitCode, stderr } = await runGit({
    place,
    arguments: words,
    stdin: joinWithZeros(paths),
    accept: [1, 128],
    timeoutMs: STAGE_TIMEOUT_MS,
  });
  if (exitCode === 0) return [];
  // The file is not at fault, and the work would be incomplete without it.
  if (isDiskFull(new Error(stderr)) || isNearlyFull(place.gitDirectory))
    throw workspaceErrors.gitFailed(words, `failed with exit code ${exitCode}`, stderr.trim());
  const [only] = paths;
  if (paths.length === 1 && only !== undefined) return [{ path: only, reason: "unreadable" }];
  const half = Math.ceil(paths.length / 2);
  const first = await stageCapturedFiles(place, paths.slice(0, half));
  return [...first, ...(await stageCapturedFiles(place, paths.slice(half)))];
}

interface PublicEntries {
  readonly kept: readonly StatusEntry[];
  /** An environment counts as one folder. */
  readonly leftOut: readonly LeftOut[];
}

/** Leaves out untracked files that look like secrets or belong to an environment. Tracked files are always kept. */
function leaveOutPrivate(entries: readonly StatusEntry[]): PublicEntries {
  const untracked = entries.filter(({ kind }) => kind === "untracked");
  const roots = findEnvironmentRoots(untracked.map(({ path }) => path.toString("latin1")));
  const found = new Map<string, LeftOut>();
  const kept = entries.filter((entry) => {
    const leftOut = entry.kind === "untracked" ? describePrivate(entry, roots) : undefined;
    if (leftOut !== undefined) found.set(leftOut.path.toString("latin1"), leftOut);
    return leftOut === undefined;
  });
  return { kept, leftOut: [...found.values()] };
}

function describePrivate({ path }: StatusEntry, roots: readonly string[]): LeftOut | undefined {
  const name = path.toString("latin1");
  const environment = findEnvironment(name, roots);
  if (environment !== undefined) return { path: Buffer.from(environment, "latin1"), reason: "environment" };
  return looksSecret(name) ? { path, reason: "looks-secret" } : undefined;
}
