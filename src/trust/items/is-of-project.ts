import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { isInside } from "../../base/files.ts";

/** Whether a file came with the project, by its path or by where a link leads. `projectRoot` is a real path. */
export function isOfProject(file: string, projectRoot: string): boolean {
  return isInside(resolve(file), projectRoot) || isInside(findRealPath(file), projectRoot);
}

function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A link that leads nowhere.
    return path;
  }
}
