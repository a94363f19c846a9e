import { runWithoutAbort } from "../base/task-abort.ts";
import { canUseLayers } from "./prepare/layers.ts";
import { isLargeRepository } from "./prepare/tree-image.ts";
import { chooseTreeTemplate } from "./prepare/tree-template.ts";
import { readCheckoutHead } from "./git/read-head.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";

/**
 * Begins to write the shared tree of HEAD where that takes long, for a workspace that is wanted soon: the user's present
 * state, which is looked for meanwhile, seldom differs much from it.
 */
export function beginTree(settings: WorkspaceSettings): void {
  if (!isLargeRepository(settings.repository)) return;
  // The first request that needs the tree waits for it, and reports its failure.
  runWithoutAbort(() => makeTree(settings)).catch(() => undefined);
}

async function makeTree(settings: WorkspaceSettings): Promise<void> {
  const options = buildSlotOptions(settings);
  const { commit } = await readCheckoutHead(options.repository, options.repository.gitDirectory);
  if (commit !== undefined && (await canUseLayers(options, options.dependencyWay)))
    await chooseTreeTemplate(options, commit);
}
