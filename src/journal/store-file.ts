import { join } from "node:path";

/** The path of a project's store, the same from every worktree. */
export function storeFile(projectRoot: string): string {
  return join(projectRoot, ".ambit", "state", "ambit.db");
}

/** The default folders for exports of the journal. */
export function exportFolders(projectRoot: string): { readonly logs: string; readonly graphs: string } {
  const state = join(projectRoot, ".ambit", "state");
  return { logs: join(state, "logs"), graphs: join(state, "delegation") };
}
