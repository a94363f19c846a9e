import { measureFolders } from "../../containment/measure-folders.ts";
import { findCopiedDependencies } from "../../workspace/copied-dependencies.ts";
import { canShareDependencies } from "../../workspace/preflight.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";

const MEGABYTE = 1_000_000;

/** How workspaces get the dependencies of the project, and what that costs. */
export async function describeDependencies(workspaces: WorkspaceSettings): Promise<string> {
  if (await canShareDependencies(workspaces)) return "dependencies are shared by mounts";
  const { folders, sharesBlocks } = await findCopiedDependencies(workspaces);
  if (folders.length === 0) return "dependencies would be copied; there are none";
  const size = `${Math.ceil((await measureFolders(folders)) / MEGABYTE)} MB`;
  return sharesBlocks
    ? `each has a copy of the dependencies, which shares its disk blocks with yours (${size}, no space until it is changed)`
    : `each has a copy of the dependencies, ${size} on disk: this file system cannot share blocks (btrfs and XFS can), and root can mount them`;
}
