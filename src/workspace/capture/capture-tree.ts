import { copyIndex } from "../git/private-directory.ts";
import { readGitLine } from "../git/run-git.ts";
import { isNestedRepository } from "../git/status.ts";
import { compareTree, type CompareRequest } from "./compare-tree.ts";
import { listNestedFiles } from "./nested-files.ts";
import { leaveOutFiltered, type LeftOut, sortOut } from "./sort-out.ts";
import { removeFromIndex, stageFiles } from "./stage.ts";

export interface CaptureRequest extends CompareRequest {
  /** Files above this are left out; none where undefined. */
  readonly largestBytes?: number;
  /** Files behind these stay as committed, as the filter that makes their content is never run. */
  readonly filters: readonly string[];
  /** A repository inside the tree is taken as plain files, or left out. */
  readonly nested: "as-files" | "leave-out";
}

export interface Capture {
  /** Undefined where the work tree is exactly what HEAD holds. */
  readonly tree: string | undefined;
  /** The throw-away folder holds an index that describes the work tree; else the one that was read still does. */
  readonly hasNewIndex: boolean;
  readonly conflicted: number;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Writes the work tree, untracked files included, as a tree object, with an index of its own. Not `git add`: that one
 * starts git inside every repository it meets, with the configuration it finds there.
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
