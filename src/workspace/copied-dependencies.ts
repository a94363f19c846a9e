import { constants, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findDependencies } from "./prepare/find-dependencies.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";

/** The dependencies that each workspace gets a copy of, if they cannot be shared by mounts. */
export interface CopiedDependencies {
  /** Absolute. */
  readonly folders: readonly string[];
  /** The file system copies by reference, so that a copy takes space only where it is changed. */
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

/** Tried, because neither the name of a file system nor its version says it. */
function canCloneFiles(directory: string): boolean {
  const folder = mkdtempSync(join(directory, "clone-"));
  try {
    writeFileSync(join(folder, "from"), "content");
    copyFileSync(join(folder, "from"), join(folder, "to"), constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    // The file system has only whole copies.
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
