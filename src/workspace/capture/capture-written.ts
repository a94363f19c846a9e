import { join } from "node:path";
import { readCommitTree } from "../git/create-tree-commit.ts";
import { isGitDirectoryPath } from "../git/git-directory-path.ts";
import type { Repository } from "../git/repository.ts";
import { readSettings, type Settings } from "../git/settings.ts";
import type { TreeEntry } from "../git/tree-objects.ts";
import { hashObject } from "../git/write-object.ts";
import { ASIDE_PATTERN } from "../git/put-aside.ts";
import { type Capture, noChanges } from "./capture-tree.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { hasAttributes } from "./lfs-files.ts";
import { listWrittenFiles, type WrittenFile } from "./written-files.ts";
import { readTreeFile, type TreeFile, writeOwnTree } from "./write-own-tree.ts";

export interface WrittenRequest {
  readonly repository: Repository;
  /** The commit that the work tree held exactly before. */
  readonly head: string;
  readonly workTree: string;
  /** The paths at which it can differ now; a folder stands for everything below it. */
  readonly paths: readonly string[];
  /** Rules for files that were brought for the worker. */
  readonly alsoIgnored: readonly string[];
}

/**
 * Writes a work tree of which the written paths are known as a tree object, without starting git and without an index.
 * Undefined wherever a rule of git's would have to be repeated: attributes, a rule that may ignore a new file, nested
 * repositories, a file and a folder of one name.
 */
export async function captureWritten(request: WrittenRequest): Promise<Capture | undefined> {
  const { repository, head, workTree } = request;
  const root = await readCommitTree(repository, head);
  const files = await listWrittenFiles({ ...request, root });
  if (files === undefined || files.some(({ path }) => isGitDirectoryPath(Buffer.from(path, "latin1"))))
    return undefined;
  const git = { directory: repository.commonDirectory, place: { workTree } };
  const present = files.filter(({ isThere }) => isThere).map(({ path }) => Buffer.from(path, "latin1"));
  if (hasAttributes(git, present)) return undefined;
  const changed = listChanged(request, files);
  if (changed === undefined) return undefined;
  const untracked = changed.filter(({ before }) => before === undefined);
  const rules = openRules(request, await readSettings(repository));
  if (untracked.some(({ path }) => rules.mayIgnore(path))) return undefined;
  const known = { hasNewIndex: false, conflicted: noChanges.conflicted, leftOut: [] };
  if (changed.length === 0) return { ...known, tree: undefined, counts: noChanges.counts };
  const sorted = {
    added: changed.filter(({ isThere }) => isThere).map(({ path }) => Buffer.from(path, "latin1")),
    removed: changed.filter(({ isThere }) => !isThere).map(({ path }) => Buffer.from(path, "latin1")),
  };
  const counts = { changed: changed.length - untracked.length, untracked: untracked.length };
  const own = await writeOwnTree({ repository, git, head, sorted });
  return own === undefined ? undefined : { ...known, ...own, counts };
}

function openRules({ repository, workTree, alsoIgnored }: WrittenRequest, { passed }: Settings): IgnoreRules {
  const excludes = new Map(passed).get("core.excludesFile");
  const own = join(repository.commonDirectory, "info", "exclude");
  return new IgnoreRules({
    workTree,
    files: excludes === undefined ? [own] : [own, excludes],
    patterns: [...alsoIgnored, ASIDE_PATTERN],
  });
}

/** Those that are not as the commit has them; undefined if one of them is left to git. */
function listChanged(
  { repository, workTree }: WrittenRequest,
  files: readonly WrittenFile[],
): readonly WrittenFile[] | undefined {
  const changed: WrittenFile[] = [];
  for (const file of files) {
    const { path, isThere, before } = file;
    const content = isThere ? readTreeFile(workTree, Buffer.from(path, "latin1")) : undefined;
    if (isThere && content === undefined) return undefined;
    if (content === undefined ? before !== undefined : !isSame(repository, content, before))
      changed.push(file);
  }
  return changed;
}

function isSame(repository: Repository, { mode, content }: TreeFile, before: TreeEntry | undefined): boolean {
  return before?.mode === mode && before.id === hashObject(repository, { type: "blob", content });
}
