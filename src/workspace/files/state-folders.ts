import { join } from "node:path";

export interface StateFolders {
  /** Checkouts: one folder per workspace or pool slot. */
  readonly workspaces: string;
  /** Our data about each checkout: its record, its claim, our index. Workers must not reach it. */
  readonly records: string;
  readonly trash: string;
  /** The lock file for git's worktree list. */
  readonly lock: string;
  readonly templates: string;
}

export function getStateFolders(stateDirectory: string): StateFolders {
  return {
    workspaces: join(stateDirectory, "workspaces"),
    records: join(stateDirectory, "workspace-records"),
    trash: join(stateDirectory, "trash"),
    lock: join(stateDirectory, "workspace.lock"),
    templates: join(stateDirectory, "templates"),
  };
}
