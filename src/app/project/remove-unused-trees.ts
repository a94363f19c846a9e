import { hasErrorCode } from "../../base/files.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import { asProjectOwner } from "../../supervisor/project-lock.ts";
import {
  dropEmptyTrees,
  emptyTrash,
  listTrash,
  listUnusedTemplates,
  removeUnusedTemplates,
} from "../../workspace/remove.ts";
import type { AppContext } from "./app-context.ts";
import { findProject } from "./open-project.ts";

/**
 * Names the folders that `removeUnusedTrees` would delete after the workspaces in `leaving` are gone: shared trees that no
 * other workspace uses, and what was set aside before. Changes nothing.
 */
export async function listUnusedTrees(
  context: AppContext,
  leaving: ReadonlySet<string>,
): Promise<readonly string[]> {
  const stateDirectory = getStateDirectory(findProject(context).root);
  const trash = listTrash(stateDirectory);
  const templates = await asOwner(context, () =>
    Promise.resolve(listUnusedTemplates(stateDirectory, leaving)),
  );
  return [...trash, ...(templates ?? [])];
}

/**
 * Removes shared trees that no workspace uses, and the folder beside the repository when nothing is left in it. While a
 * supervisor runs, it may need them, so they stay. Returns the number of deleted trees.
 */
export async function removeUnusedTrees(context: AppContext): Promise<number> {
  const stateDirectory = getStateDirectory(findProject(context).root);
  const deleted = await asOwner(context, async () => {
    const searchPath = context.environment["PATH"] ?? "/usr/bin:/bin";
    await removeUnusedTemplates({ stateDirectory, searchPath });
    const count = await emptyTrash(stateDirectory);
    dropEmptyTrees(stateDirectory);
    return count;
  });
  return deleted ?? 0;
}

/** Undefined while a supervisor owns the project. */
async function asOwner<Result>(
  context: AppContext,
  action: () => Promise<Result>,
): Promise<Result | undefined> {
  const { root } = findProject(context);
  try {
    return await asProjectOwner({ projectRoot: root, version: context.version }, action);
  } catch (error) {
    if (hasErrorCode(error, "SUPERVISOR_RUNNING")) return undefined;
    throw error;
  }
}
