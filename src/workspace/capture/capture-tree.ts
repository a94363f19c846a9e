import { copyIndex } from "../git/private-directory.ts";
import { readGitLine } from "../git/run-git.ts";
import { isNestedRepository } from "../git/status.ts";
import { compareTree, type CompareRequest } from "./compare-tree.ts";
import { listNestedFiles } from "./nested-files.ts";
import { leaveOutFiltered, type LeftOut, sortOut } from "./sort-out.ts";
import { removeFromIndex, stageFiles } from "./stage.ts";

export interface CaptureRequest extends CompareRequest {
  /** Files above this size are left out; no limit if undefined. */
  readonly largestBytes?: number;
  /** Files behind these filters stay as committed, because a filter is never run. */
  readonly filters: readonly string[];
  /** Whether a repository inside the tree is captured as plain files or left out. */
  readonly nested: "as-files" | "leave-out";
}

export interface Capture {
  /** Undefined if the work tree is exactly what HEAD holds. */
  readonly tree: string | undefined;
  /**
   * Whether the temporary folder holds an index that describes the work tree; otherwise the index that was read still
   * does.
   */
  readonly hasNewIndex: boolean;
  readonly conflicted: number;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Writes the work tree, untracked files included, as a tree object, with an index of its own. `git add` would start
 * git inside every nested repository, with the configuration found there.
 */
export async function captureTree(request: CaptureRequest): Promise<Capture> {
  const { git } = request;
  const { entries, hasNewIndex } = await compareTree(request);
  if (entries.length === 0) return { tree: undefined, hasNewIndex, conflicted: 0, leftOut: [] };
  if (!hasNewIndex) copyIndex(git, request.indexFile);
  const nested = await takeNested(
    request,
    entries.filter(isNestedRepository).map(({ path }) => path),
  );
  const plain = entries.filter((entry) => !entry.isStaged && !isNestedRepository(entry));
  const filtered = await leaveOutFiltered({ git, filters: request.filters, entries: plain });
  const sorted = sortOut({
    workTree: git.place.workTree ?? "",
    largestBytes: request.largestBytes ?? Infinity,
    removed: filtered.kept.filter((entry) => entry.isRemoved).map(({ path }) => path),
    present: [...filtered.kept.filter((entry) => !entry.isRemoved).map(({ path }) => path), ...nested.files],
  });
  await removeFromIndex(git.place, sorted.removed);
  const refused = await stageFiles(git.place, sorted.added);
  return {
    tree: await readGitLine({ place: git.place, arguments: ["write-tree", "--missing-ok"] }),
    hasNewIndex: true,
    conflicted: entries.filter((entry) => entry.kind === "conflicted").length,
    leftOut: [...nested.leftOut, ...filtered.leftOut, ...sorted.leftOut, ...refused],
  };
}

interface TakenNested {
  readonly files: readonly Buffer[];
  readonly leftOut: readonly LeftOut[];
}

async function takeNested(request: CaptureRequest, folders: readonly Buffer[]): Promise<TakenNested> {
  if (request.nested === "as-files" && folders.length > 0) return listNestedFiles(request.git, folders);
  return { files: [], leftOut: folders.map((path) => ({ path, reason: "nested-repository" })) };
}
