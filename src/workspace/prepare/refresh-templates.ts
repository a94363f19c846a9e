import type { SlotOptions } from "../slots/slot-options.ts";
import { dependencyTemplateName } from "./dependency-template.ts";
import type { FoundDependency } from "./find-dependencies.ts";
import { canLayer } from "./layers.ts";
import { pruneTemplates } from "./prune-templates.ts";
import { makeTreeTemplate, treeTemplateName } from "./tree-template.ts";

/** Keeps what a workspace made from nothing is mounted on: one tree for the current commit, one set of dependencies. */
export async function refreshTemplates(
  options: SlotOptions,
  commit: string,
  found: readonly FoundDependency[],
): Promise<void> {
  if (!(await canLayer(options, options.dependencyWay))) return;
  await makeTreeTemplate(options, commit);
  pruneTemplates(options.stateDirectory, new Set([treeTemplateName(commit), dependencyTemplateName(found)]));
}
