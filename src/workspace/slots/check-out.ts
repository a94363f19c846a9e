import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  renameSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { hasSameContent } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { runWithoutAbort } from "../../base/task-abort.ts";
import { leavePending, waitForPending } from "../files/pending-work.ts";
import type { ChangedEntry } from "../git/change-tree.ts";
import { copyPrivateIndex, type PrivateGit, withPrivateGit } from "../git/private-directory.ts";
import type { ProjectContext } from "../git/repository.ts";
import { type SearchedFolder, searchWhole } from "../git/put-aside.ts";
import { runGit } from "../git/run-git.ts";
import { getUpperFolder } from "../prepare/layers.ts";
import { ownIndexPath, type SlotRecord } from "../records/record.ts";
import { forgetLayer } from "./layer-state.ts";
import { preparedPatterns } from "./prepared-patterns.ts";

const CHECK_OUT_TIMEOUT_MS = 3_600_000;

/**
 * Resets the tree of a checkout to exactly a commit's files, whatever was changed in them, and updates both indexes.
 */
export async function checkOutCommit(
  context: ProjectContext,
  record: SlotRecord,
  commit: string,
): Promise<void> {
  const index = ownIndexPath(context.stateDirectory, record.name);
  forgetLayer(record);
  await withSlotGit(context, record, (git) =>
    runGit({
      place: { ...git.place, indexFile: index },
      // A number below one means the number of cores.
      arguments: ["-c", "checkout.workers=0", "read-tree", "--reset", "-u", commit],
      timeoutMs: CHECK_OUT_TIMEOUT_MS,
    }),
  );
  syncWorkerIndex(context.stateDirectory, record);
}

/**
 * Moves a clean checkout to another commit by the difference, without reading all other files. If a path is blocked, for
 * example by a brought file that the commit also holds, all files are checked out again.
 */
export async function switchToCommit(
  context: ProjectContext,
  record: SlotRecord,
  commit: string,
): Promise<void> {
  const index = ownIndexPath(context.stateDirectory, record.name);
  forgetLayer(record);
  const { exitCode } = await withSlotGit(context, record, (git) =>
    runGit({
      place: { ...git.place, indexFile: index },
      arguments: ["-c", "checkout.workers=0", "read-tree", "-m", "-u", record.commit, commit],
      accept: [1, 128],
      timeoutMs: CHECK_OUT_TIMEOUT_MS,
    }),
  );
  if (exitCode === 0) syncWorkerIndex(context.stateDirectory, record);
  else await checkOutCommit(context, record, commit);
}

/** Tells both indexes the present times of the files, so that git need not read them again. */
export async function refreshIndex(context: ProjectContext, record: SlotRecord): Promise<void> {
  const index = ownIndexPath(context.stateDirectory, record.name);
  await withSlotGit(context, record, (git) =>
    runGit({
      place: { ...git.place, indexFile: index },
      arguments: ["update-index", "-q", "--refresh"],
      // Some file differs, for example a file that setup wrote.
      accept: [1],
      timeoutMs: CHECK_OUT_TIMEOUT_MS,
    }),
  );
  syncWorkerIndex(context.stateDirectory, record);
}

/**
 * Brings both indexes to a commit that differs from theirs by these entries: when they are needed, or a little later. If it
 * fails, git is asked about the whole checkout, and finds out that its index is older.
 */
export function updateIndexLater(
  context: ProjectContext,
  record: SlotRecord,
  changes: readonly ChangedEntry[],
): void {
  const update = async (): Promise<void> => {
    if (changes.length > 0) await updateIndex(context, record, changes);
    syncWorkerIndex(context.stateDirectory, record);
  };
  leavePending(record.path, () => runWithoutAbort(update).catch(() => forgetLayer(record)));
}

async function updateIndex(
  context: ProjectContext,
  record: SlotRecord,
  changes: readonly ChangedEntry[],
): Promise<void> {
  const indexFile = ownIndexPath(context.stateDirectory, record.name);
  await openSlotGit(context, record, async (git) => {
    copyPrivateIndex(git, indexFile);
    const stdin = Buffer.concat(changes.map(formatIndexLine));
    await runGit({ place: git.place, arguments: ["update-index", "-z", "--index-info"], stdin });
    renameSync(join(git.directory, "index"), indexFile);
  });
}

/** `<mode> <id>`, a tab and the path; mode 0 removes it. */
function formatIndexLine({ path, before, after }: ChangedEntry): Buffer {
  const id = after?.id ?? "0".repeat(before?.id.length ?? 0);
  return Buffer.from(`${after?.mode ?? "0"} ${id}\t${path}\0`, "latin1");
}

/** Gives the worker's own git the index that describes the tree; an identical index only gets a new time. */
export function syncWorkerIndex(stateDirectory: string, record: SlotRecord): void {
  const index = ownIndexPath(stateDirectory, record.name);
  if (!existsSync(index)) return;
  const theirs = join(record.adminDirectory, "index");
  // A file cannot replace a folder, which a worker can create there.
  if (lstatSync(theirs, { throwIfNoEntry: false })?.isDirectory() === true)
    rmSync(theirs, { recursive: true });
  if (hasSameContent(index, theirs)) utimesSync(theirs, new Date(), new Date());
  else replaceWithCopy(index, theirs);
}

/** The kernel copies: the index of a large repository is ten megabytes and more. */
function replaceWithCopy(source: string, target: string): void {
  const beside = `${target}.${randomBase36(8)}.new`;
  try {
    copyFileSync(source, beside, constants.COPYFILE_EXCL);
    chmodSync(beside, 0o600);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Works on a checkout through a git directory that no worker has touched. Files brought for the worker are ignored,
 * even if the worker removed them from `.gitignore`.
 */
export async function withSlotGit<Result>(
  context: ProjectContext,
  record: SlotRecord,
  use: (git: PrivateGit) => Promise<Result>,
): Promise<Result> {
  await waitForPending(record.path);
  return openSlotGit(context, record, use);
}

function openSlotGit<Result>(
  context: ProjectContext,
  record: SlotRecord,
  use: (git: PrivateGit) => Promise<Result>,
): Promise<Result> {
  return withPrivateGit(
    {
      repository: context.repository,
      stateDirectory: context.stateDirectory,
      workTree: record.path,
      head: record.commit,
      alsoIgnored: preparedPatterns(context.stateDirectory, record),
      written: listWrittenFolders(record),
    },
    use,
  );
}

/** Everything a worker wrote over a shared tree is in its layers; a checkout without such a layer is searched whole. */
function listWrittenFolders({ path, layers }: SlotRecord): readonly SearchedFolder[] {
  const written = layers.map(({ folder, target }) => ({ searched: getUpperFolder(folder), seenAt: target }));
  const isLayered = layers.some(({ target }) => target === path);
  return isLayered ? written : searchWhole(path);
}
