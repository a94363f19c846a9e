import { constants, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findDependencies } from "./prepare/find-dependencies.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";

/** The dependencies that each workspace gets a copy of, if they cannot be shared by mounts. */
export interface CopiedDependencies {
  /** The absolute paths of the folders. */
  readonly folders: readonly string[];
  /** The file system copies by reference, so that a copy takes space only for its changes. */
  readonly sharesBlocks: boolean;
}

export async function findCopiedDependencies(settings: WorkspaceSettings): Promise<CopiedDependencies> {
  const options = buildSlotOptions(settings);
  const found = await findDependencies(options, options.dependencyFolders);
  return {
    folders: found.map(({ path }) => join(settings.repository.workTree, path)),
    sharesBlocks: canCloneFiles(settings.stateDirectory),
  };
}

/** It is tried out, because neither the name of a file system nor its version answers it. */
function canCloneFiles(directory: string): boolean {
  const folder = mkdtempSync(join(directory, "clone-"));
  try {
    writeFileSync(join(folder, "from"), "content");
    copyFileSync(join(folder, "from"), join(folder, "to"), constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    // The file system can only make whole copies.
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
