import { closeSync, constants, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";

/** The Linux value of O_TMPFILE, which Node does not define; it includes O_DIRECTORY. */
const O_TMPFILE = 0o20_200_000;
/** The file is in memory: on a disk, a file that lives for a second is slow to create, and slows down the next ones. */
const MEMORY = "/dev/shm";

/** Opens a file without a name, so that only we and those we pass it to can reach it. */
export function openUnnamed(directory: string, flags = 0): number {
  const { O_RDWR, O_CREAT, O_EXCL } = constants;
  const inMemory = openInMemory(flags);
  if (inMemory !== undefined) return inMemory;
  return beforeUnlinking(directory, (path) => openSync(path, O_RDWR | O_CREAT | O_EXCL | flags, 0o600));
}

/** Opens an unnamed file with content, for reading only. */
export function openUnnamedInput(directory: string, text: string): number {
  return (
    fillInMemory(text) ??
    beforeUnlinking(directory, (path) => {
      writeFileSync(path, text, { mode: 0o600, flag: "wx" });
      return openSync(path, constants.O_RDONLY);
    })
  );
}

function fillInMemory(text: string): number | undefined {
  const written = openInMemory(0);
  if (written === undefined) return undefined;
  try {
    writeFileSync(written, text);
    return openSync(`/proc/self/fd/${written}`, constants.O_RDONLY);
  } catch {
    // The text is larger than the space in memory.
    return undefined;
  } finally {
    closeSync(written);
  }
}

/** Undefined if the folder does not exist or is full; a named file works as well. */
function openInMemory(flags: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return openSync(MEMORY, O_TMPFILE | constants.O_RDWR | flags, 0o600);
  } catch {
    return undefined;
  }
}

function beforeUnlinking(directory: string, open: (path: string) => number): number {
  const path = join(directory, `.unnamed-${randomBase36(12)}`);
  try {
    return open(path);
  } finally {
    rmSync(path, { force: true });
  }
}
