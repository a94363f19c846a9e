import { accessSync, constants, existsSync } from "node:fs";
import { DelegationError } from "../../base/delegation-error.ts";
import { explainUnexpectedFileTrouble } from "../../base/file-trouble.ts";
import { refuseWithoutSpace } from "../../base/free-space.ts";
import { getTreesDirectory } from "../../project/trees-directory.ts";
import type { Finding } from "./finding.ts";

/** A disk of the state or the workspaces on which no new work can start, because it is full or read-only. */
export function checkDisk(stateDirectory: string): readonly Finding[] {
  const folders = [stateDirectory, getTreesDirectory(stateDirectory)];
  const found = folders.filter((folder) => existsSync(folder)).flatMap(findTrouble);
  return found.slice(0, 1);
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
