import { existsSync } from "node:fs";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "../files/write-atomic.ts";
import { runGit } from "../git.ts";
import { type PrivateGit, withPrivateGit } from "../git/private-directory.ts";
import type { Repository } from "../repository.ts";
import { ownIndexOf, type SlotRecord } from "./record.ts";

export interface SlotContext {
  readonly repository: Repository;
  readonly stateDirectory: string;
}

const CHECK_OUT_TIMEOUT_MS = 3_600_000;

/** Makes the tree of a checkout hold exactly a commit's files, whatever was changed in them, and both indexes say so. */
export async function checkOut(context: SlotContext, record: SlotRecord, commit: string): Promise<void> {
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

/** Gives the worker's own git the index that describes the tree. */
export function syncIndex(stateDirectory: string, record: SlotRecord): void {
  const index = ownIndexOf(stateDirectory, record.name);
  if (existsSync(index)) writeAtomic(join(record.adminDirectory, "index"), readFileSync(index));
}

/** Works on a checkout through a git directory that no worker has touched. */
export function withSlotGit<Result>(
  context: SlotContext,
  record: Pick<SlotRecord, "path" | "commit">,
  use: (git: PrivateGit) => Promise<Result>,
): Promise<Result> {
  return withPrivateGit(
    {
      repository: context.repository,
      stateDirectory: context.stateDirectory,
      workTree: record.path,
      head: record.commit,
    },
    use,
  );
}
