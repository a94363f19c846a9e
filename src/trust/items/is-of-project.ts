import { resolve } from "node:path";
import { isInside, resolveLinks } from "../../base/files.ts";

/** Whether a file came with the project, by its path or by where a link leads. `projectRoot` is a real path. */
export function isOfProject(file: string, projectRoot: string): boolean {
  return isInside(resolve(file), projectRoot) || isInside(resolveLinks(file), projectRoot);
}
