import { join } from "node:path";
import type { WorkspaceSettings } from "../../../workspace/worktree.ts";
import { openRepository } from "../../../workspace/repository.ts";
import type { CommandContext } from "../../command-module.ts";
import { findProject } from "../report/project-store.ts";

/** The repository and state folder of the project, for commands that look after workspaces. */
export async function projectWorkspaces(context: CommandContext): Promise<WorkspaceSettings> {
  const { root } = findProject(context);
  const repository = await openRepository(root, {
    searchPath: context.environment["PATH"] ?? "/usr/bin:/bin",
    home: context.homeDirectory ?? "/",
  });
  return { repository, stateDirectory: join(root, ".ambit", "state") };
}
