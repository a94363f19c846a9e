import { accessSync, constants, existsSync } from "node:fs";
import { DelegationError } from "../../base/delegation-error.ts";
import { explainUnexpectedFileTrouble } from "../../base/file-trouble.ts";
import { findExistingFolder } from "../../base/files.ts";
import { refuseWithoutSpace } from "../../base/free-space.ts";
import { getTreesDirectory } from "../../project/trees-directory.ts";
import type { Finding } from "./finding.ts";

/** Why no new work can start on the disk of the state or the workspaces: it is full, or they cannot be written. */
export function checkDisk(stateDirectory: string): readonly Finding[] {
  const trees = getTreesDirectory(stateDirectory);
  // Before the first story, the state has no folder of its own.
  const folders = [findExistingFolder(stateDirectory), ...(existsSync(trees) ? [trees] : [])];
  return folders.flatMap(findTrouble).slice(0, 1);
}

function findTrouble(folder: string): readonly Finding[] {
  try {
    refuseWithoutSpace(folder);
    accessSync(folder, constants.W_OK);
    return [];
  } catch (error) {
    const told = error instanceof DelegationError ? error : explainUnexpectedFileTrouble(error);
    if (told === undefined) throw error;
    return [{ name: "disk", ok: false, detail: told.message, next: told.recommendation }];
  }
}
