import { existsSync, lstatSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { readRegular } from "../files/read-regular.ts";
import { writeAtomic } from "../files/write-atomic.ts";
import { type PrivateGit, withPrivateGit } from "../git/private-directory.ts";
import type { ProjectContext } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { ownIndexOf, type SlotRecord } from "../records/record.ts";
import { preparedPatterns } from "./prepared-patterns.ts";

const CHECK_OUT_TIMEOUT_MS = 3_600_000;

/** Makes the tree of a checkout hold exactly a commit's files, whatever was changed in them, and both indexes say so. */
export async function checkOut(context: ProjectContext, record: SlotRecord, commit: string): Promise<void> {
  const index = ownIndexOf(context.stateDirectory, record.name);
  await withSlotGit(context, record, (git) =>
    runGit({
      place: { ...git.place, indexFile: index },
      // Fewer than one means as many as there are cores.
      arguments: ["-c", "checkout.workers=0", "read-tree", "--reset", "-u", commit],
      timeoutMs: CHECK_OUT_TIMEOUT_MS,
    }),
  );
  syncIndex(context.stateDirectory, record);
}

/**
 * Moves a clean checkout to another commit by what differs, without looking at all other files. Where something is in
 * the way, such as a file that was brought there and that the commit holds itself, the files are made anew.
 */
export async function switchTo(context: ProjectContext, record: SlotRecord, commit: string): Promise<void> {
  const index = ownIndexOf(context.stateDirectory, record.name);
  const { exitCode } = await withSlotGit(context, record, (git) =>
    runGit({
      place: { ...git.place, indexFile: index },
      arguments: ["-c", "checkout.workers=0", "read-tree", "-m", "-u", record.commit, commit],
      accept: [1, 128],
      timeoutMs: CHECK_OUT_TIMEOUT_MS,
    }),
  );
  if (exitCode === 0) syncIndex(context.stateDirectory, record);
  else await checkOut(context, record, commit);
}

/** Gives the worker's own git the index that describes the tree; one that is the same is only made as young. */
export function syncIndex(stateDirectory: string, record: SlotRecord): void {
  const index = ownIndexOf(stateDirectory, record.name);
  if (!existsSync(index)) return;
  const theirs = join(record.adminDirectory, "index");
  // A file cannot be moved over a folder, which a worker can make there.
  if (lstatSync(theirs, { throwIfNoEntry: false })?.isDirectory() === true)
    rmSync(theirs, { recursive: true });
  const bytes = readFileSync(index);
  if (readRegular(theirs)?.equals(bytes) === true) utimesSync(theirs, new Date(), new Date());
  else writeAtomic(theirs, bytes);
}

/**
 * Works on a checkout through a git directory that no worker has touched. What was brought there for the worker is
 * ignored, even where the worker took it out of `.gitignore`.
 */
export function withSlotGit<Result>(
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
    },
    use,
  );
}
