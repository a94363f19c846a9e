import { advanceCheckpoint, removeOtherCheckpoints } from "../journal/advance-checkpoint.ts";
import {
  readCheckpointAnchor,
  removeCheckpointAnchor,
  writeCheckpointAnchor,
} from "../workspace/journal-anchor.ts";
import type { Repository } from "../workspace/repository.ts";

/**
 * Makes the next checkpoint of the store if one is due, and notes it in git. Returns how many events the newest one
 * covers.
 */
export async function keepCheckpoint(repository: Repository, file: string): Promise<number> {
  const current = await readCheckpointAnchor(repository);
  const next = await advanceCheckpoint(file, current);
  if (next === undefined) return current?.events ?? 0;
  // The file comes before the note, and the old one goes last: after a kill git names a file that exists.
  await writeCheckpointAnchor(repository, next);
  removeOtherCheckpoints(file, next);
  return next.events;
}

/** Forgets the checkpoint, which may have been changed, and makes one of the whole journal. */
export async function makeCheckpointAgain(repository: Repository, file: string): Promise<void> {
  await removeCheckpointAnchor(repository);
  removeOtherCheckpoints(file);
  const made = await advanceCheckpoint(file, undefined, Number.MAX_SAFE_INTEGER);
  if (made !== undefined) await writeCheckpointAnchor(repository, made);
}
