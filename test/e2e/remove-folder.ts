import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { listMounts } from "../../src/workspace/prepare/overlay.ts";

/** Also removes the mounts of a runtime that was killed or that kept its workspaces. */
export function removeFolder(folder: string): void {
  // The process that mounted them may be removing them at the same time.
  for (const target of listMounts(folder).toReversed()) spawnSync("umount", ["-l", target]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
