import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "../../base/clock.ts";
import { hasErrorCode, resolveLinks } from "../../base/files.ts";
import { configErrors } from "../../errors/config.ts";

const LOCK_WAIT_MS = 1000;
const LOCK_RETRY_MS = 10;

/**
 * Replaces a file by what `edit` makes of it: whole or not at all, and one command at a time.
 * The new text is written into the lock file, so that moving it into place also gives the lock back.
 */
export async function rewriteFile(path: string, edit: () => Promise<string | undefined>): Promise<void> {
  const target = resolveLinks(path);
  const lock = join(dirname(target), `.${basename(target)}.lock`);
  const descriptor = await acquireLock(lock, path);
  let isMoved = false;
  try {
    const text = await edit();
    if (text === undefined) return;
    attemptWrite(path, () => moveIntoPlace(text, { descriptor, lock, target }));
    isMoved = true;
  } finally {
    closeSync(descriptor);
    if (!isMoved) rmSync(lock, { force: true });
  }
}

interface Move {
  readonly descriptor: number;
  readonly lock: string;
  readonly target: string;
}

function moveIntoPlace(text: string, { descriptor, lock, target }: Move): void {
  writeFileSync(descriptor, text);
  fsyncSync(descriptor);
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats !== undefined) chmodSync(lock, stats.mode);
  renameSync(lock, target);
}

async function acquireLock(lock: string, path: string): Promise<number> {
  attemptWrite(path, () => mkdirSync(dirname(lock), { recursive: true }));
  const deadline = systemClock.monotonicMs() + LOCK_WAIT_MS;
  for (;;) {
    const descriptor = attemptWrite(path, () => openNew(lock));
    if (descriptor !== undefined) return descriptor;
    if (systemClock.monotonicMs() > deadline) throw configErrors.fileBusy(path, lock);
    await wait(LOCK_RETRY_MS);
  }
}

/** Opens a file that does not exist yet; `undefined` when it does. */
function openNew(path: string): number | undefined {
  try {
    return openSync(path, "wx");
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return undefined;
    throw error;
  }
}

function attemptWrite<Outcome>(path: string, action: () => Outcome): Outcome {
  try {
    return action();
  } catch (error) {
    throw configErrors.fileUnwritable(path, error);
  }
}
