import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { captureTree } from "../capture/capture-tree.ts";
import { joinBytePath } from "../files/byte-path.ts";
import { readCommitTree } from "../git/create-tree-commit.ts";
import {
  copyPrivateIndex,
  copySharedIndex,
  type PrivateGit,
  withPrivateGit,
} from "../git/private-directory.ts";
import type { ProjectContext } from "../git/repository.ts";
import { readGitLine } from "../git/run-git.ts";
import { readSettings } from "../git/settings.ts";
import { readAttributes } from "../merge/attributes.ts";
import { mergeTips } from "../merge/merge-tips.ts";
import { type CheckoutTrees, readTouchedCheckout, type TouchedCheckout } from "./checkout-trees.ts";
import { listDifferences } from "./find-obstacles.ts";
import { inspectCheckout } from "./inspect-checkout.ts";
import { formatIndexLine, updateIndexInfo } from "./mini-index.ts";
import { stageMergedFiles } from "./place-files.ts";
import { type MergeRefusal, refuseOverwriting } from "./refusal.ts";
import {
  listEntriesOn,
  listFilesOn,
  readPathStat,
  readTouchedPaths,
  reverseChange,
  showLatin1Path,
  type TreeChange,
} from "./touched.ts";

export interface EditsQuestion {
  /** The commit that is checked out. */
  readonly from: string;
  /** The tree it moves to. */
  readonly tree: string;
}

export interface OwnEdits extends EditsQuestion {
  /** Names the files in which the user has edits. */
  readonly refusal: MergeRefusal;
}

/**
 * Merges the move of a branch into the user's uncommitted edits, line by line: index and files each get the changes and
 * keep the edits, uncommitted. Refuses, with the files, if both change the same lines. Changes nothing.
 */
export async function mergeOwnEdits(
  context: ProjectContext,
  { refusal: inTheWay, ...question }: OwnEdits,
): Promise<CheckoutTrees | MergeRefusal> {
  const { from, tree } = question;
  const own = await readOwnTrees(context, question);
  const index = await mergeTips(context, { ours: own.index, theirs: tree, mergeBase: from });
  const files = await mergeTips(context, { ours: own.files, theirs: tree, mergeBase: from });
  if (index.status === "conflict" || files.status === "conflict")
    return refuseConflicting(inTheWay, new Set([index, files].flatMap(listConflicts)));
  const trees = {
    index: { from: own.index, to: index.tree },
    files: { from: own.files, to: files.tree },
  };
  const touched = await readTouchedCheckout(context.repository, trees);
  const refusal = await inspectCheckout(context, { from, trees, touched });
  return refusal ?? (await findUnrepeatable(context, { from, trees, touched })) ?? trees;
}

function listConflicts(merged: Awaited<ReturnType<typeof mergeTips>>): readonly string[] {
  return merged.status === "conflict" ? merged.files : [];
}

/** Git invents names if a file and a folder meet; then all of the user's edited files are named. */
function refuseConflicting(inTheWay: MergeRefusal, conflicts: ReadonlySet<string>): MergeRefusal {
  const named = inTheWay.files.filter((path) => conflicts.has(path));
  return named.length === 0 ? inTheWay : refuseOverwriting(named);
}

/** Writes index and files of the user's checkout as trees; the checkout is only read. */
async function readOwnTrees(
  { repository, stateDirectory }: ProjectContext,
  { from, tree }: EditsQuestion,
): Promise<{ readonly index: string; readonly files: string }> {
  const settings = await readSettings(repository);
  const { workTree, gitDirectory } = repository;
  const indexFile = join(gitDirectory, "index");
  return withPrivateGit({ repository, stateDirectory, workTree, head: from }, async (git) => {
    copySharedIndex(git, indexFile);
    copyPrivateIndex(git, indexFile);
    const writeTree = { place: git.place, arguments: ["write-tree", "--missing-ok"] };
    const index = await readGitLine(writeTree);
    await captureTree({
      git,
      indexFile,
      tracked: "index",
      filters: settings.filters,
      maxFileBytes: MAX_EDITED_BYTES,
      nested: "leave-out",
      isPublicOnly: true,
    });
    await addEqualFiles(
      git,
      await readTouchedPaths(repository, await readCommitTree(repository, from), tree),
    );
    return { index, files: await readGitLine(writeTree) };
  });
}

/** A larger file is not merged line by line. */
const MAX_EDITED_BYTES = 50 * 1024 * 1024;

/** A file that already equals the result of the merge is the user's, too, even if it is ignored. */
async function addEqualFiles(git: PrivateGit, touched: readonly TreeChange[]): Promise<void> {
  const before = await listDifferences(git, touched, "from");
  const after = await listDifferences(git, touched, "to");
  const equal = listEntriesOn(touched, "to").filter(({ path }) => before.has(path) && !after.has(path));
  await updateIndexInfo(git.place, equal.map(formatIndexLine));
}

interface RepeatQuestion {
  readonly from: string;
  readonly trees: CheckoutTrees;
  readonly touched: TouchedCheckout;
}

/**
 * Finds edited files that git would not write again byte for byte, such as those with mixed line endings. The merge
 * would change more of them than the lines of the story.
 */
async function findUnrepeatable(
  { repository, stateDirectory }: ProjectContext,
  { from, trees, touched }: RepeatQuestion,
): Promise<MergeRefusal | undefined> {
  const { workTree } = repository;
  const committed = await readTouchedPaths(repository, from, trees.files.from);
  const edited = new Set(committed.map(({ path }) => path));
  const back = touched.files.filter(({ path }) => edited.has(path)).map(reverseChange);
  if (back.length === 0) return undefined;
  const different = await withPrivateGit(
    { repository, stateDirectory, workTree, head: from },
    async (git) => {
      const stage = await stageMergedFiles(git, back, await readAttributes(repository, trees.files.from));
      const paths = listFilesOn(back, "to").map(({ path }) => path);
      return paths.filter((path) => !isSameFile(workTree, stage, path));
    },
  );
  return different.length === 0 ? undefined : refuseOverwriting(different.map(showLatin1Path));
}

function isSameFile(root: string, stage: string, path: string): boolean {
  const [one, other] = [root, stage].map((folder) => readEntry(folder, path));
  return one !== undefined && other !== undefined && one.equals(other);
}

function readEntry(root: string, path: string): Buffer | undefined {
  const stats = readPathStat(root, path);
  const full = joinBytePath(root, path);
  if (stats?.isSymbolicLink() === true) return readlinkSync(full, { encoding: "buffer" });
  return stats?.isFile() === true ? readFileSync(full) : undefined;
}
