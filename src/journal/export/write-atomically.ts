import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { journalErrors } from "../../errors/journal.ts";

/** A piece of a file, and the number of entries in it. */
export interface Chunk {
  readonly text: string;
  readonly entries: number;
}

/**
 * Writes a temporary file and renames it: a reader sees the old file or the whole new one. Returns the number of
 * entries.
 */
export async function writeAtomically(path: string, chunks: AsyncIterable<Chunk>): Promise<number> {
  const folder = dirname(path);
  await wrapFileError(path, () => mkdir(folder, { recursive: true }));
  const beside = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const entries = await writeChunks(path, beside, chunks);
    await wrapFileError(path, () => rename(beside, path));
    return entries;
  } catch (error) {
    // The first error is the one to report, even when the temporary file cannot be removed.
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeChunks(path: string, beside: string, chunks: AsyncIterable<Chunk>): Promise<number> {
  const file = await wrapFileError(path, () => open(beside, "wx"));
  try {
    let entries = 0;
    for await (const chunk of chunks) {
      await wrapFileError(path, () => file.writeFile(chunk.text));
      entries += chunk.entries;
    }
    await wrapFileError(path, () => file.sync());
    return entries;
  } finally {
    await file.close();
  }
}

/** Wraps only errors of the file system: an error of the store must not be reported as one of the disk. */
async function wrapFileError<Result>(path: string, effect: () => Promise<Result>): Promise<Result> {
  try {
    return await effect();
  } catch (error) {
    throw journalErrors.exportUnwritable(path, error);
  }
}
