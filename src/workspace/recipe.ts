import { createHash } from "node:crypto";
import { join } from "node:path";
import { readRegularText } from "../base/files.ts";
import { defaultDependencyFolders, recallDependencies, RECALL_MS } from "./prepare/find-dependencies.ts";
import type { WorkspaceSettings } from "./worktree.ts";

/** Identifies how a fresh checkout is made ready: the folders and files that are brought into it, besides its commit. */
export async function readRecipe(settings: WorkspaceSettings): Promise<string> {
  const { repository, dependencyFolders = defaultDependencyFolders } = settings;
  const found = await recallDependencies(settings, dependencyFolders, RECALL_MS);
  const brought = found.map(({ path, signature }) => `${path} ${signature}`);
  const included = readRegularText(join(repository.workTree, ".worktreeinclude")) ?? "";
  return createHash("sha256")
    .update([...brought, included].join("\0"))
    .digest("hex");
}
