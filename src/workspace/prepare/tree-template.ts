import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isThere } from "../files/safe-path.ts";
import { runGit } from "../git.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { foldersOf } from "../names.ts";
import { makeBeside } from "./make-beside.ts";
import type { LayerContext } from "./layers.ts";

/** All files of one commit, never written again, and the index that describes them. */
export interface TreeTemplate {
  readonly tree: string;
  readonly index: string;
}

const CHECK_OUT_TIMEOUT_MS = 3_600_000;

export function findTreeTemplate(stateDirectory: string, commit: string): TreeTemplate | undefined {
  const folder = folderOf(stateDirectory, commit);
  return isThere(folder) ? { tree: join(folder, "tree"), index: join(folder, "index") } : undefined;
}

/** Checks a commit out once, to be shown below any number of workspaces. */
export async function makeTreeTemplate(context: LayerContext, commit: string): Promise<void> {
  const folder = folderOf(context.stateDirectory, commit);
  if (isThere(folder)) return;
  await makeBeside(folder, async (beside) => {
    const tree = join(beside, "tree");
    mkdirSync(tree, { mode: 0o700 });
    await withPrivateGit({ ...context, workTree: tree, head: commit }, (git) =>
      runGit({
        place: { ...git.place, indexFile: join(beside, "index") },
        arguments: ["-c", "checkout.workers=0", "read-tree", "--reset", "-u", commit],
        timeoutMs: CHECK_OUT_TIMEOUT_MS,
      }),
    );
  });
}

export function treeTemplateName(commit: string): string {
  return `tree-${commit}`;
}

function folderOf(stateDirectory: string, commit: string): string {
  return join(foldersOf(stateDirectory).templates, treeTemplateName(commit));
}
