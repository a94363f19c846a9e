import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";

/** Folders of work in progress; a folder left by a killed process holds nothing of value. */
export function scratchDirectory(stateDirectory: string): string {
  return join(stateDirectory, "git");
}

/** Its name contains our process id, so that another process can tell whether it is still in use. */
export function chooseScratchFolder(stateDirectory: string): string {
  return join(scratchDirectory(stateDirectory), `${String(process.pid)}-${randomBase36(10)}`);
}

/** Runs work in a new, empty folder, and removes the folder afterwards. */
export async function withScratchFolder<Result>(
  stateDirectory: string,
  work: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = chooseScratchFolder(stateDirectory);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
