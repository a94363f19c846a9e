import { basename } from "node:path";
import { dependencyTemplateName } from "./dependency-template.ts";
import type { FoundDependency } from "./find-dependencies.ts";
import { canLayer } from "./layers.ts";
import { pruneTemplates } from "./prune-templates.ts";
import type { SlotOptions } from "./slot-options.ts";
import { chooseTree } from "./tree-template.ts";

/**
 * Keeps the templates of workspaces current: one tree for the current commit or near it, and one set of dependencies.
 */
export async function refreshTemplates(
  options: SlotOptions,
  commit: string,
  found: readonly FoundDependency[],
): Promise<void> {
  if (!(await canLayer(options, options.dependencyWay))) return;
  const shared = await chooseTree(options, commit);
  const trees = shared === undefined ? [] : [basename(shared.folder)];
  pruneTemplates(options.stateDirectory, new Set([...trees, dependencyTemplateName(found)]));
}
