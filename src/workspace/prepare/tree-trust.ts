import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathExists, writeFileAtomically } from "../../base/files.ts";
import { runWithoutAbort } from "../../base/task-abort.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import type { ProjectContext } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import type { SlotRecord } from "../records/record.ts";
import { fingerprintEntries } from "./fingerprint-entries.ts";
import { findTemplateFolder, fingerprintImage, showTreeFiles, treeImagePath } from "./tree-image.ts";

/** All files of one commit, never written again, and the index that describes them. */
export interface TreeTemplate {
  readonly commit: string;
  /** Holds only the index, and the tree or an image of it. */
  readonly folder: string;
  /** Where its files are; those of an image are there while it is mounted. */
  readonly tree: string;
  readonly index: string;
}

/** Name prefix of shared trees among other templates. */
export const TREE_PREFIX = "tree-";

const READ_TIMEOUT_MS = 3_600_000;

/**
 * The fingerprint of each shared tree, taken when this process had created it or compared it with its commit; undefined
 * once unexpected content was found. Kept only in memory, because a worker that can write to a tree can also write files
 * of ours.
 */
const prints = new Map<string, Promise<string | undefined>>();

/** Call it after creating a tree, with its fingerprint. */
export function trustTreeTemplate(folder: string, print: string | undefined): void {
  prints.set(folder, Promise.resolve(print));
}

/** Whether a tree matches its commit. A tree from another process is compared with the commit, file by file. */
export async function isTreeTrusted(context: ProjectContext, template: TreeTemplate): Promise<boolean> {
  const { folder } = template;
  const known = prints.get(folder) ?? runWithoutAbort(() => compareWithCommit(context, template));
  prints.set(folder, known);
  if ((await known) === undefined) return false;
  try {
    await showTreeFiles(context.repository.host.searchPath, template.tree);
    return true;
  } catch {
    // Its image cannot be mounted any more.
    return false;
  }
}

/** Whether a checkout uses a tree in which unexpected content was found. */
export async function usesSpoiledTree(record: Pick<SlotRecord, "layers">): Promise<boolean> {
  for (const folder of listTreesBelow(record))
    if (prints.has(folder) && (await prints.get(folder)) === undefined) return true;
  return false;
}

/**
 * Whether the trees below a checkout are unchanged since they were created. A program that may write everywhere can write
 * there too, and the results of checks would then say nothing about the commit.
 */
export async function wasLeftAlone(
  context: ProjectContext,
  record: Pick<SlotRecord, "layers">,
): Promise<boolean> {
  for (const folder of listTreesBelow(record)) {
    const then = await prints.get(folder);
    if (then === undefined || (await fingerprintTemplate(context, folder)) !== then) {
      prints.set(folder, Promise.resolve(undefined));
      return false;
    }
  }
  return true;
}

/**
 * Fingerprints everything in a shared tree's folder; undefined if the folder is empty or not as a commit can be. The files
 * in an image change only with it.
 */
export async function fingerprintTemplate(
  context: ProjectContext,
  folder: string,
): Promise<string | undefined> {
  if (pathExists(treeImagePath(folder))) return fingerprintImage(folder);
  return fingerprintEntries(context.repository.host.searchPath, folder);
}

/** Uses an index of our own: the one next to the tree could have been changed to match it. */
async function compareWithCommit(
  context: ProjectContext,
  { commit, folder, tree, index }: TreeTemplate,
): Promise<string | undefined> {
  try {
    await showTreeFiles(context.repository.host.searchPath, tree);
    const own = await withPrivateGit(
      { ...context, workTree: tree, head: commit },
      async ({ place, directory }) => {
        const git = (...words: string[]) =>
          runGit({ place, arguments: words, accept: [1], timeoutMs: READ_TIMEOUT_MS });
        await git("read-tree", commit);
        await git("update-index", "-q", "--refresh");
        const { stdout } = await git("ls-files", "-z", "--modified", "--deleted", "--others");
        return stdout.length === 0 ? readFileSync(join(directory, "index")) : undefined;
      },
    );
    if (own === undefined) return undefined;
    writeFileAtomically(index, own);
    return await fingerprintTemplate(context, folder);
  } catch {
    // The tree is gone or unreadable, so it no longer matches.
    return undefined;
  }
}

function listTreesBelow({ layers }: Pick<SlotRecord, "layers">): readonly string[] {
  const folders = layers.flatMap(({ lower }) => lower.map(findTemplateFolder));
  return folders.filter((folder) => basename(folder).startsWith(TREE_PREFIX));
}
