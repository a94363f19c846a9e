import { join } from "node:path";
import { getStateDirectory } from "../project/state-directory.ts";

/** The path of a project's store, the same from every worktree. */
export function storeFile(projectRoot: string): string {
  return storeFileIn(getStateDirectory(projectRoot));
}

export function storeFileIn(stateDirectory: string): string {
  return join(stateDirectory, "ambit.db");
}

/** The default folders for exports of the journal. */
export function exportFolders(projectRoot: string): { readonly logs: string; readonly graphs: string } {
  const state = getStateDirectory(projectRoot);
  return { logs: join(state, "logs"), graphs: join(state, "delegation") };
}
