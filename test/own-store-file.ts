import { storeFile } from "../src/journal/store-file.ts";
import { openOwnState } from "../src/project/state-directory.ts";

/** The store of a project whose state folder is made as a supervisor would make it. */
export function ownStoreFile(projectRoot: string): string {
  openOwnState(projectRoot);
  return storeFile(projectRoot);
}
