import { accessSync, constants, existsSync } from "node:fs";
import { isNearlyFull, refuseWithoutSpace } from "../../base/free-space.ts";
import { getTreesDirectory } from "../../project/trees-directory.ts";
import type { GitTools } from "../ports/git-tools.ts";

/** The disks of the state and of the workspaces, and whether work can continue on them. */
export function createRoomTools(stateDirectory: string): Pick<GitTools, "isDiskFull" | "requireRoom"> {
  const folders = (): readonly string[] =>
    [stateDirectory, getTreesDirectory(stateDirectory)].filter((folder) => existsSync(folder));
  return {
    requireRoom: () => {
      for (const folder of folders()) {
        refuseWithoutSpace(folder);
        // The kernel answers this with EROFS also to root.
        accessSync(folder, constants.W_OK);
      }
    },
    isDiskFull: () => folders().some(isNearlyFull),
  };
}
