import { mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pathExists } from "../../base/files.ts";
import { runWithoutAbort } from "../../base/task-abort.ts";
import { moveToTrash } from "../files/move-to-trash.ts";
import { spreadEntries } from "../files/spread-entries.ts";
import { getStateFolders } from "../files/state-folders.ts";
import { canPoolCommit } from "../git/can-pool-commit.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { readChangedFiles } from "../git/read-changes.ts";
import type { ProjectContext } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { isUnfinishedName, createFolderWhole } from "./create-folder-whole.ts";
import { findTemplateFolder, isInImage, showTreeFiles, treeFilesPath, writeTreeImage } from "./tree-image.ts";
import {
  isTreeTrusted,
  fingerprintTemplate,
  TREE_PREFIX,
  type TreeTemplate,
  trustTreeTemplate,
} from "./tree-trust.ts";

export interface TreeContext extends ProjectContext {
  readonly dependencyFolders: readonly string[];
}

const CHECK_OUT_TIMEOUT_MS = 3_600_000;
/** A checkout above a tree of another commit writes the differences; beyond this many, another tree costs less. */
const MAX_DIFFERENCES = 200;

const beingMade = new Map<string, Promise<TreeTemplate>>();

/**
 * Returns the shared tree for a commit's files: its own, or that of a commit that differs little; creates one if
 * there is neither. Undefined if checkouts of the commit cannot share a tree.
 */
export async function chooseTreeTemplate(
  context: TreeContext,
  commit: string,
): Promise<TreeTemplate | undefined> {
  if (!(await canPoolCommit(context.repository, commit))) return undefined;
  return (await findTreeNear(context, commit)) ?? makeTreeTemplate(context, commit);
}

/** The commit's own tree, or the most recently used one that is near enough, which most other checkouts use too. */
async function findTreeNear(context: TreeContext, commit: string): Promise<TreeTemplate | undefined> {
  const trees = listTreeTemplates(context.stateDirectory);
  for (const template of trees)
    if (template.commit === commit && (await isTreeTrusted(context, template))) return template;
  for (const template of trees)
    if ((await isNearCommit(context, template.commit, commit)) && (await isTreeTrusted(context, template)))
      return template;
  return undefined;
}

/**
 * Commits are not near if they differ below a dependency folder, because the shared tree decides which of those are
 * brought.
 */
async function isNearCommit(
  { repository, dependencyFolders }: TreeContext,
  from: string,
  to: string,
): Promise<boolean> {
  const names = new Set(dependencyFolders);
  try {
    const changes = await readChangedFiles(repository, from, to);
    return (
      changes.length <= MAX_DIFFERENCES &&
      !changes.some(({ path }) => path.split("/").some((part) => names.has(part)))
    );
  } catch {
    // Its commit is gone, so the difference is unknown.
    return false;
  }
}

/** Checks a commit out once, to be shared below any number of workspaces; concurrent callers wait for the same tree. */
function makeTreeTemplate(context: ProjectContext, commit: string): Promise<TreeTemplate> {
  const { templates } = getStateFolders(context.stateDirectory);
  const key = join(templates, commit);
  const fill = (): Promise<TreeTemplate> =>
    fillTemplate(context, findFreeFolder(templates, commit), { canBeImage: true });
  const making = beingMade.get(key) ?? runWithoutAbort(fill);
  beingMade.set(key, making);
  return making.finally(() => beingMade.delete(key));
}

/** Writes the files of a tree that was deleted again, for the workspaces that are mounted on it. */
export async function restoreTreeTemplate(context: ProjectContext, lower: string): Promise<void> {
  const folder = findTemplateFolder(lower);
  if (pathExists(folder)) moveToTrash(getStateFolders(context.stateDirectory).trash, folder);
  await fillTemplate(context, folder, { canBeImage: isInImage(lower) });
}

/** A tree with unexpected content keeps its name, because workspaces may be mounted on it. */
function findFreeFolder(templates: string, commit: string): string {
  const first = join(templates, `${TREE_PREFIX}${commit}`);
  let folder = first;
  for (let number = 2; pathExists(folder); number += 1) folder = `${first}-${number}`;
  return folder;
}

async function fillTemplate(
  context: ProjectContext,
  folder: string,
  { canBeImage }: { readonly canBeImage: boolean },
): Promise<TreeTemplate> {
  const commit = parseTreeCommit(basename(folder));
  await createFolderWhole(folder, async (beside) => {
    const isImage = canBeImage && (await writeTreeImage(context, commit, beside));
    if (!isImage) await checkOutFiles(context, commit, beside);
    trustTreeTemplate(folder, await fingerprintTemplate(context, beside));
  });
  const template = describeTemplate(folder, commit);
  await showTreeFiles(context.repository.host.searchPath, template.tree);
  return template;
}

async function checkOutFiles(context: ProjectContext, commit: string, folder: string): Promise<void> {
  const tree = join(folder, "tree");
  mkdirSync(tree, { mode: 0o700 });
  await spreadEntries(context.repository.host.searchPath, tree);
  await withPrivateGit({ ...context, workTree: tree, head: commit }, (git) =>
    runGit({
      place: { ...git.place, indexFile: join(folder, "index") },
      arguments: ["-c", "checkout.workers=0", "read-tree", "--reset", "-u", commit],
      timeoutMs: CHECK_OUT_TIMEOUT_MS,
    }),
  );
}

/** Lists complete trees, the most recently used first. */
function listTreeTemplates(stateDirectory: string): readonly TreeTemplate[] {
  const { templates } = getStateFolders(stateDirectory);
  if (!pathExists(templates)) return [];
  return (
    readdirSync(templates)
      .filter((name) => name.startsWith(TREE_PREFIX) && !isUnfinishedName(name))
      // A folder in which an image is mounted stays when everything in it is deleted.
      .filter((name) => pathExists(join(templates, name, "index")))
      .map((name) => ({
        name,
        used: statSync(join(templates, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
      }))
      .toSorted((left, right) => right.used - left.used)
      .map(({ name }) => describeTemplate(join(templates, name), parseTreeCommit(name)))
  );
}

/** `tree-<commit>`, or `tree-<commit>-2` for a second one. */
function parseTreeCommit(name: string): string {
  return name.slice(TREE_PREFIX.length).split("-", 1)[0] ?? "";
}

function describeTemplate(folder: string, commit: string): TreeTemplate {
  return { commit, folder, tree: treeFilesPath(folder), index: join(folder, "index") };
}
