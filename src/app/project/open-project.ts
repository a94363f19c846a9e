import { findProjectRoot } from "../../project/find-project.ts";
import { appErrors } from "../../errors/app.ts";
import { projectErrors } from "../../errors/project.ts";
import { refreshTables } from "../../journal/refresh-tables.ts";
import { storeFileIn } from "../../journal/store-file.ts";
import type { StoreReader } from "../../journal/store.ts";
import { isStateCovered } from "../../project/covered-state.ts";
import { requireOwnState } from "../../project/state-directory.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import type { AppContext } from "./app-context.ts";

export interface Project {
  readonly root: string;
  readonly stateDirectory: string;
  readonly storeFile: string;
}

/** The repository around the directory; all of its worktrees share one project. */
export function findProject({ directory }: Pick<AppContext, "directory">): Project {
  const root = findProjectRoot(directory);
  if (root === undefined) throw projectErrors.notARepository(directory);
  const stateDirectory = requireOwnState(root);
  return { root, stateDirectory, storeFile: storeFileIn(stateDirectory) };
}

type StoreContext = Pick<AppContext, "directory" | "environment"> & Partial<Pick<AppContext, "warn">>;

/** Reads the project's store, without a supervisor and without writing. The reader is undefined before the first story. */
export async function readStore<Result>(
  context: StoreContext,
  read: (reader: StoreReader | undefined, project: Project) => Promise<Result>,
): Promise<Result> {
  const project = findProject(context);
  if (isStateCovered(project.stateDirectory)) throw appErrors.storeHidden();
  // Loaded only here: a worker's sandbox has the program, but not the database driver.
  const { openReader } = await import("../../journal/open-reader.ts");
  await bringUpTables(context, project);
  const reader = openReader(project.storeFile);
  try {
    return await read(reader, project);
  } finally {
    await reader?.close();
  }
}

/** Of a project in a cluster, other machines may have written something. */
async function bringUpTables({ environment, warn }: StoreContext, project: Project): Promise<void> {
  const reason = await refreshTables(project.storeFile, environment);
  if (reason !== undefined) warn?.(`This is what this machine knows; it may be old: ${reason}`);
}

/** The project's repository and state folder, for use cases that read or change git. */
export async function openWorkspaces(
  context: Pick<AppContext, "directory" | "environment" | "homeDirectory">,
): Promise<WorkspaceSettings> {
  const { root, stateDirectory } = findProject(context);
  // Loaded only here: readers of the store need no git.
  const { openRepository } = await import("../../workspace/repository.ts");
  const repository = await openRepository(root, {
    searchPath: context.environment["PATH"] ?? "/usr/bin:/bin",
    home: context.homeDirectory ?? "/",
  });
  return { repository, stateDirectory };
}
