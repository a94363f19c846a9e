import { createHash } from "node:crypto";
import { defaultDependencyFolders, recallDependencies, RECALL_MS } from "./prepare/find-dependencies.ts";
import type { WorkspaceSettings } from "./worktree.ts";

/**
 * Identifies how a fresh checkout is made ready, apart from its commit: the folders that are brought into it and the
 * settings.
 */
export async function readRecipe(settings: WorkspaceSettings): Promise<string> {
  const { repository, recipe = "", dependencyFolders = defaultDependencyFolders } = settings;
  const found = await recallDependencies(settings, dependencyFolders, RECALL_MS);
  const brought = found.map(({ path, signature }) => `${path} ${signature}`);
  return createHash("sha256")
    .update([...brought, repository.workTree, recipe].join("\0"))
    .digest("hex");
}
