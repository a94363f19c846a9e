import { join } from "node:path";

/** Where a project keeps its store, whichever worktree the question comes from. */
export function storeFile(projectRoot: string): string {
  return join(projectRoot, ".ambit", "state", "ambit.db");
}

/** Where exports of the journal go unless somebody names another folder. */
export function exportFolders(projectRoot: string): { readonly logs: string; readonly graphs: string } {
  const state = join(projectRoot, ".ambit", "state");
  return { logs: join(state, "logs"), graphs: join(state, "delegation") };
}
