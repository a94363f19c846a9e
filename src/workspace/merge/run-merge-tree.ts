import { copyFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { joinBytePath } from "../files/byte-path.ts";
import { formatBytePath } from "../git/format-byte-path.ts";
import { type PrivateGit, withPrivateGit } from "../git/private-directory.ts";
import type { ProjectContext } from "../git/repository.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";
import { type AttributesFile, readAttributes } from "./attributes.ts";

export interface MergeNote {
  /** Git's own kind, such as `CONFLICT (modify/delete)`. */
  readonly kind: string;
  readonly files: readonly string[];
  readonly text: string;
}

export interface MergeTreeResult {
  readonly isClean: boolean;
  /** Contains conflict markers if the merge is not clean. */
  readonly tree: string;
  /** Paths left in conflict; names that are not UTF-8 are quoted. */
  readonly files: readonly string[];
  readonly notes: readonly MergeNote[];
}

export interface MergeTreeRequest {
  readonly ours: string;
  readonly theirs: string;
  /** The attributes of `ours`, if already known. */
  readonly attributes?: readonly AttributesFile[];
}

const MERGE_TIMEOUT_MS = 600_000;

/**
 * Runs git's own merge of two commits with a common ancestor, in memory. The git directory is private, because the
 * repository's configuration and attributes, which a worker may have written, can name a program that git runs as a
 * merge driver.
 */
export async function runMergeTree(
  context: ProjectContext,
  request: MergeTreeRequest,
): Promise<MergeTreeResult> {
  const { ours, theirs } = request;
  const attributes = request.attributes ?? (await readAttributes(context.repository, ours));
  return withMergeGit({ ...context, head: ours, attributes }, async ({ place }) => {
    const { exitCode, stdout } = await runGit({
      place,
      arguments: [
        // Git looks for attributes in the current folder.
        "-C",
        place.workTree ?? "/",
        "merge-tree",
        "--write-tree",
        "-z",
        "--name-only",
        "--messages",
        "HEAD",
        theirs,
      ],
      accept: [1],
      timeoutMs: MERGE_TIMEOUT_MS,
    });
    return { isClean: exitCode === 0, ...parseMergeResult(splitAtZeros(stdout)) };
  });
}

interface MergeGit extends ProjectContext {
  readonly head: string;
  readonly attributes: readonly AttributesFile[];
}

/** The work tree of this call holds only the attribute files. */
function withMergeGit<Result>(
  { repository, stateDirectory, head, attributes }: MergeGit,
  use: (git: PrivateGit) => Promise<Result>,
): Promise<Result> {
  return withPrivateGit({ repository, stateDirectory, head, workTree: "/" }, (git) => {
    const workTree = join(git.directory, "tree");
    mkdirSync(workTree);
    for (const file of attributes) writeAttributes(workTree, file);
    const shallow = join(repository.commonDirectory, "shallow");
    if (statSync(shallow, { throwIfNoEntry: false })?.isFile() === true)
      copyFileSync(shallow, join(git.directory, "shallow"));
    return use({ ...git, place: { ...git.place, workTree } });
  });
}

function writeAttributes(workTree: string, { path, content }: AttributesFile): void {
  mkdirSync(joinBytePath(workTree, dirname(path)), { recursive: true });
  writeFileSync(joinBytePath(workTree, path), content);
}

/** `tree`, conflicted names, an empty part; then per note: count, that many paths, kind, text. */
function parseMergeResult(parts: readonly Buffer[]): Omit<MergeTreeResult, "isClean"> {
  const [tree, ...rest] = parts;
  const end = rest.findIndex((part) => part.length === 0);
  const files = rest.slice(0, end === -1 ? rest.length : end).map(formatBytePath);
  const notes: MergeNote[] = [];
  for (let at = end === -1 ? rest.length : end + 1; at < rest.length;) {
    const count = Number(rest[at]?.toString("latin1"));
    const kindAt = at + 1 + count;
    notes.push({
      files: rest.slice(at + 1, kindAt).map(formatBytePath),
      kind: rest[kindAt]?.toString("utf8") ?? "",
      text: rest[kindAt + 1]?.toString("utf8").trimEnd() ?? "",
    });
    at = kindAt + 2;
  }
  return { tree: tree?.toString("latin1") ?? "", files: [...new Set(files)], notes };
}

export interface Conflict {
  readonly files: readonly string[];
  readonly notes: readonly MergeNote[];
}

/**
 * Extracts what a person needs to know. Some conflicts, such as a folder renamed in two ways, leave no single file in
 * conflict.
 */
export function describeConflict({ files, notes }: MergeTreeResult): Conflict {
  const conflicts = notes.filter(({ kind }) => kind.startsWith("CONFLICT"));
  const named = conflicts.flatMap((note) => note.files);
  return { files: files.length > 0 ? files : [...new Set(named)].sort(), notes: conflicts };
}
