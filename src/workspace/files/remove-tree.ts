import { chmod, lstat, readdir, rm, rmdir, unlink } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

const FILES_PER_STEP = 200;
const PAUSE_MS = 4;

/** Deletes a folder in small steps with pauses, so that other work on the disk continues. Links are not followed. */
export async function removeTree(folder: string, abort?: AbortSignal): Promise<void> {
  const stats = await lstat(folder).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isDirectory()) return rm(folder, { force: true });
  await removeContents(Buffer.from(folder), { abort, done: 0 });
}

interface Pace {
  readonly abort: AbortSignal | undefined;
  done: number;
}

async function removeContents(folder: Buffer, pace: Pace): Promise<void> {
  if (isAborted(pace)) return;
  // A worker may have removed the permissions of its own folders.
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  for (const entry of entries) {
    const path = Buffer.concat([folder, Buffer.from("/"), entry.name]);
    if (entry.isDirectory()) await removeContents(path, pace);
    else await unlink(path);
    pace.done += 1;
    if (pace.done % FILES_PER_STEP === 0) await wait(PAUSE_MS);
  }
  if (!isAborted(pace)) await rmdir(folder);
}

function isAborted({ abort }: Pace): boolean {
  return abort?.aborted === true;
}
