import { join } from "node:path";
import { hasErrorCode } from "../../../base/files.ts";
import { randomBase36 } from "../../../base/ids.ts";
import { loadConfig } from "../../../config/load-config.ts";
import type { ConfigValues } from "../../../contract/config.ts";
import { findTreesRoot } from "../../../project/find-project.ts";
import { settleTrees } from "../../../project/trees-directory.ts";
import { asProjectOwner } from "../../../supervisor/project-lock.ts";
import { takeSnapshot, userCheckout } from "../../../workspace/snapshot.ts";
import type { WorkspaceSettings } from "../../../workspace/worktree.ts";
import type { AppContext } from "../../project/app-context.ts";
import { configInput } from "../../project/config-input.ts";
import { openWorkspaces } from "../../project/open-project.ts";
import { removeUnusedTrees } from "../../project/remove-unused-trees.ts";

/** Where the test command is tried. */
export interface TrialPlace {
  readonly context: AppContext;
  readonly id: string;
  readonly workspaces: WorkspaceSettings;
  readonly values: ConfigValues;
  /** The user's present state, as a story would start from it. */
  readonly commit: string;
  readonly logDirectory: string;
}

/** Makes the state folder and the place for workspaces as a first story would, and removes workspaces afterwards. */
export async function useTrialPlace<Result>(
  context: AppContext,
  use: (place: TrialPlace) => Promise<Result>,
): Promise<Result> {
  const workspaces = await openWorkspaces(context);
  const { workTree: projectRoot } = workspaces.repository;
  const act = async (): Promise<Result> => use(await openPlace(context, workspaces));
  try {
    return await asProjectOwner({ projectRoot, version: context.version }, act);
  } catch (error) {
    // A supervisor has made both; workspaces of several processes do not disturb each other.
    if (!hasErrorCode(error, "SUPERVISOR_RUNNING")) throw error;
    return await act();
  } finally {
    await removeUnusedTrees(context);
  }
}

async function openPlace(context: AppContext, workspaces: WorkspaceSettings): Promise<TrialPlace> {
  const { repository, stateDirectory } = workspaces;
  const { values } = await loadConfig(configInput(context));
  const projectRoot = findTreesRoot(repository.workTree);
  settleTrees({ projectRoot, stateDirectory, wanted: values.workspace.dir });
  const id = `init-${randomBase36(8)}`;
  const checkout = userCheckout(repository);
  const { commit } = await takeSnapshot({ repository, stateDirectory, id, checkout, isKept: false });
  return { context, id, workspaces, values, commit, logDirectory: join(stateDirectory, "logs", id) };
}
