import { copyFileSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { isThere } from "../files/safe-path.ts";
import { runGit } from "../git.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { foldersOf } from "../names.ts";
import { ownIndexOf, type SlotRecord } from "../slots/record.ts";
import { makeBeside } from "./make-beside.ts";
import { canLayer, type Layer, type LayerContext, mountLayer, newLayerFolder, upperOf } from "./layers.ts";

/** All files of one commit, never written again, and the index that describes them. */
export interface TreeTemplate {
  readonly tree: string;
  readonly index: string;
}

const CHECK_OUT_TIMEOUT_MS = 3_600_000;

function findTreeTemplate(stateDirectory: string, commit: string): TreeTemplate | undefined {
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

/** Fills a registered, still empty worktree by showing a template in it; undefined where that cannot be done. */
export async function layTree(
  context: LayerContext & { readonly dependencyWay: "auto" | "copy" },
  record: SlotRecord,
): Promise<Layer | undefined> {
  const template = findTreeTemplate(context.stateDirectory, record.commit);
  if (template === undefined || !(await canLayer(context, context.dependencyWay))) return undefined;
  const folder = newLayerFolder(context, record.name);
  const layer: Layer = { lower: template.tree, target: record.path, folder };
  const pointer = join(record.path, ".git");
  // What lies in the folder itself would be hidden by the mount.
  renameSync(pointer, join(upperOf(folder), ".git"));
  try {
    await mountLayer(context, layer);
  } catch {
    // Refused this once; a plain checkout works everywhere.
    renameSync(join(upperOf(folder), ".git"), pointer);
    return undefined;
  }
  copyFileSync(template.index, ownIndexOf(context.stateDirectory, record.name));
  return layer;
}

export function treeTemplateName(commit: string): string {
  return `tree-${commit}`;
}

function folderOf(stateDirectory: string, commit: string): string {
  return join(foldersOf(stateDirectory).templates, treeTemplateName(commit));
}
