import { join } from "node:path";
import { getTreesDirectory } from "../../project/trees-directory.ts";

export interface StateFolders {
  /** Checkouts: one folder per workspace or pool slot. */
  readonly workspaces: string;
  /** Our data about each checkout: its record, its claim, our index. Workers must not reach it. */
  readonly records: string;
  readonly trash: string;
  /** The lock file for git's worktree list. */
  readonly lock: string;
  readonly templates: string;
  readonly sandboxes: string;
  /** Copies in progress; the names of those left by a killed process begin with its id. */
  readonly staging: string;
}

/** Kept, because they are needed many times in each delegation. */
const known = new Map<string, StateFolders & { readonly trees: string }>();

export function getStateFolders(stateDirectory: string): StateFolders {
  const trees = getTreesDirectory(stateDirectory);
  const last = known.get(stateDirectory);
  if (last?.trees === trees) return last;
  const folders = nameFolders(stateDirectory, trees);
  known.set(stateDirectory, { ...folders, trees });
  return folders;
}

function nameFolders(stateDirectory: string, trees: string): StateFolders {
  return {
    workspaces: join(trees, "workspaces"),
    records: join(trees, "workspace-records"),
    trash: join(trees, "trash"),
    lock: join(stateDirectory, "workspace.lock"),
    templates: join(trees, "templates"),
    sandboxes: join(trees, "sandboxes"),
    staging: join(trees, "staging"),
  };
}
