import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { listMounts } from "../../src/workspace/prepare/overlay.ts";

/** Also what a killed runtime left mounted, or one that was told to keep its workspaces. */
export function removeFolder(folder: string): void {
  // Whoever mounted them may be taking them away at the same time.
  for (const target of listMounts(folder).toReversed()) spawnSync("umount", ["-l", target]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
