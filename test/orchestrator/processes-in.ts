import { readdirSync, readlinkSync } from "node:fs";

/** Processes that work in a project or its workspaces, also where those have been removed meanwhile. */
export function processesIn(root: string): number {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const folder = readlinkSync(`/proc/${name}/cwd`);
      return folder.startsWith(`${root}/`) || folder.startsWith(`${root}.worktrees/`);
    } catch {
      // Gone while we looked, or not ours to look at.
      return false;
    }
  }).length;
}
