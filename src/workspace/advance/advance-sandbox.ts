import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import { pathExists } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { moveToTrash } from "../files/move-to-trash.ts";
import { getStateFolders } from "../files/state-folders.ts";
import { copyIndexWithTime } from "../git/copy-index.ts";
import { formatBytePath } from "../git/format-byte-path.ts";
import { copyPrivateIndex, withPrivateGit } from "../git/private-directory.ts";
import { withScratchFolder } from "../files/scratch-folder.ts";
import { searchWhole } from "../git/put-aside.ts";
import { readRefCommit } from "../git/read-head.ts";
import { workerBranchRef, workRefName } from "../git/ref-names.ts";
import type { ProjectContext } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { type SandboxFolders, sandboxFolders } from "../sandbox/folders.ts";
import { writeGitDirectory } from "../sandbox/git-directory.ts";
import { areCommitsKept, listUnkeptFiles, readIgnoreRules } from "../sandbox/is-all-kept.ts";
import { listObjectFolders } from "../sandbox/object-folders.ts";
import { readSandboxRecord } from "../sandbox/record.ts";
import { saveMixedFiles, moveTipRefs } from "./keep-tips.ts";
import { removeAdvanceNote, readAdvanceNote, writeAdvanceNote } from "./note.ts";

export interface SandboxAdvance {
  readonly id: string;
  readonly path?: string;
  /** If absent, only a killed advance is completed. */
  readonly to?: string;
}

interface Clone {
  readonly id: string;
  readonly base: string;
  readonly folders: SandboxFolders;
}

const CHECK_OUT_TIMEOUT_MS = 3_600_000;
const MAX_SHOWN_FILES = 5;

/**
 * Advances a private clone. The worker can write its git directory, so none of it is used: a new one replaces it and
 * borrows its objects from the user's repository, which already has the new commit.
 */
export async function advanceSandbox(context: ProjectContext, request: SandboxAdvance): Promise<void> {
  const { id, to } = request;
  const folders = sandboxFolders(context.stateDirectory, id);
  const clone: Clone = { id, folders, base: readSandboxRecord(folders)?.base ?? "" };
  const unfinished = readAdvanceNote(folders.root);
  if (unfinished === undefined && to === undefined) return;
  if (lstatSync(folders.clone, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw workspaceErrors.workspaceTampered(folders.clone, "folder-gone");
  if (unfinished !== undefined) await finishSandboxAdvance(context, clone, unfinished);
  if (to === undefined || to === unfinished) return;
  await refuseUnkept(context, clone, request.path ?? folders.clone);
  await moveSandbox(context, clone, to);
}

async function refuseUnkept(context: ProjectContext, clone: Clone, path: string): Promise<void> {
  const { folders, id } = clone;
  if (path !== folders.clone)
    throw workspaceErrors.notSaved("WORKSPACE_NOT_OURS", path, `it is not the workspace recorded for ${id}`);
  if (lstatSync(join(folders.clone, ".git"), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw workspaceErrors.workspaceTampered(folders.clone, "git-folder-changed");
  if (!(await areCommitsKept(context, folders, clone)))
    throw workspaceErrors.notSaved("WORK_NOT_REACHABLE", path, "it holds commits that were not handed over");
  const unsaved = await listUnkeptFiles(context, folders, clone);
  if (unsaved.length === 0) return;
  const shown = unsaved.slice(0, MAX_SHOWN_FILES).map(formatBytePath).join(", ");
  throw workspaceErrors.notSaved(
    "WORK_NOT_SAVED",
    path,
    `${String(unsaved.length)} files not imported yet: ${shown}`,
  );
}

async function finishSandboxAdvance(context: ProjectContext, clone: Clone, to: string): Promise<void> {
  const { id, folders } = clone;
  await saveMixedFiles(context, {
    id,
    to,
    workTree: folders.clone,
    indexFile: folders.index,
    alsoIgnored: readIgnoreRules(folders),
  });
  await moveSandbox(context, clone, to);
}

/** Every step can be repeated, so the note is removed last. */
async function moveSandbox(context: ProjectContext, clone: Clone, to: string): Promise<void> {
  const { id, folders } = clone;
  writeAdvanceNote(folders.root, to);
  await moveSandboxFiles(context, clone, to);
  await replaceGitDirectory(context, clone, to);
  await moveTipRefs(context, id, to);
  removeAdvanceNote(folders.root);
}

/**
 * Our index describes the clone as it was created. Loading the commits kept since then makes git also remove files
 * that the new commit lacks.
 */
async function moveSandboxFiles(
  context: ProjectContext,
  { id, base, folders }: Clone,
  to: string,
): Promise<void> {
  const { repository, stateDirectory } = context;
  const kept = (await readRefCommit(repository, workRefName(id))) ?? base;
  await withPrivateGit(
    { repository, stateDirectory, workTree: folders.clone, written: searchWhole(folders.clone), head: to },
    async (git) => {
      const place = { ...git.place, indexFile: copyPrivateIndex(git, folders.index) };
      await runGit({ place, arguments: ["read-tree", "--reset", kept] });
      const words = ["-c", "checkout.workers=0", "read-tree", "--reset", "-u", to];
      await runGit({ place, arguments: words, timeoutMs: CHECK_OUT_TIMEOUT_MS });
      renameSync(place.indexFile, folders.index);
    },
  );
}

async function replaceGitDirectory(
  { repository, stateDirectory }: ProjectContext,
  { id, folders }: Clone,
  to: string,
): Promise<void> {
  const objects = listObjectFolders(repository);
  const branch = { ref: workerBranchRef(id), commit: to };
  await withScratchFolder(stateDirectory, async (fresh) => {
    await writeGitDirectory({ repository, path: fresh, objects, head: `ref: ${branch.ref}`, branch });
    copyIndexWithTime(folders.index, join(fresh, "index"));
    const current = join(folders.clone, ".git");
    if (pathExists(current)) moveToTrash(getStateFolders(stateDirectory).trash, current);
    renameSync(fresh, current);
  });
}
