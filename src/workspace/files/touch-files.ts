import { lutimesSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Gives files a later time than all others of a checkout. Otherwise `make` and similar tools take a build product that
 * git has just written for newer than its source, and a check runs the build from before the work.
 */
export function touchFiles(folder: string, paths: readonly string[]): void {
  const root = realpathSync(folder);
  // The clock of the file system may be a little ahead of ours, which counts whole milliseconds.
  const time = (Date.now() + 1) / 1000;
  for (const path of paths) {
    try {
      // Setup may have replaced a folder by a link to somewhere else.
      if (realpathSync(dirname(join(root, path))) !== dirname(join(root, path))) continue;
      lutimesSync(join(root, path), time, time);
    } catch {
      // The work removed the file, or its name is shown in quotes.
    }
  }
}
