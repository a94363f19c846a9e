import { execFileSync } from "node:child_process";
import { storeFile } from "../src/journal/store-file.ts";
import { openOwnState } from "../src/project/state-directory.ts";

/** The store of a project whose state folder is made as a supervisor would make it. The folder becomes a repository. */
export function ownStoreFile(projectRoot: string): string {
  execFileSync("git", ["init", "--quiet"], { cwd: projectRoot });
  openOwnState(projectRoot);
  return storeFile(projectRoot);
}
