import { hasErrorCode } from "../../base/files.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import { asProjectOwner } from "../../supervisor/project-lock.ts";
import { dropEmptyTrees, emptyTrash, removeUnusedTemplates } from "../../workspace/remove.ts";
import type { AppContext } from "./app-context.ts";
import { findProject } from "./open-project.ts";

/**
 * Removes shared trees that no workspace uses, and the folder beside the repository when nothing is left in it. While a
 * supervisor runs, it may need them, so they stay. Returns the number of deleted trees.
 */
export async function removeUnusedTrees(context: AppContext): Promise<number> {
  const { root } = findProject(context);
  const stateDirectory = getStateDirectory(root);
  try {
    return await asProjectOwner({ projectRoot: root, version: context.version }, async () => {
      removeUnusedTemplates(stateDirectory);
      const deleted = await emptyTrash(stateDirectory);
      dropEmptyTrees(stateDirectory);
      return deleted;
    });
  } catch (error) {
    if (hasErrorCode(error, "SUPERVISOR_RUNNING")) return 0;
    throw error;
  }
}
