import { join } from "node:path";
import { pathExists } from "../base/files.ts";

/** The only entry of a covered state folder that the real one never has. */
export const COVER_MARK = "hidden-from-workers";

/** Whether an empty folder covers the state folder here: that is so only for processes inside a run. */
export function isStateCovered(stateDirectory: string): boolean {
  return pathExists(join(stateDirectory, COVER_MARK));
}
