import { renameSync } from "node:fs";
import { join, basename } from "node:path";
import { workspaceErrors } from "../errors/workspace.ts";
import { type Capture, captureTree, noChanges } from "./capture/capture-tree.ts";
import { captureWritten } from "./capture/capture-written.ts";
import type { LeftOut } from "./capture/sort-out.ts";
import { chooseParent, findMadeCommits, listUnreachable } from "./capture/worker-commits.ts";
import { waitForPending } from "./files/pending-work.ts";
import { createTreeCommit, readCommitTree } from "./git/create-tree-commit.ts";
import type { PutAside } from "./git/put-aside.ts";
import { readChangedFiles, rememberChangedFiles } from "./git/read-changes.ts";
import { readRefCommit } from "./git/read-head.ts";
import { baseRefName, keptRefName, workerBranchRef, workRefName } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import type { ProjectContext } from "./git/repository.ts";
import type { ImportedSandboxWork } from "./import-sandbox-work.ts";
import { ensureMounted } from "./prepare/layers.ts";
import { ownIndexPath, readClaimedSlot, type SlotRecord } from "./records/record.ts";
import { updateIndexLater, withSlotGit } from "./slots/check-out.ts";
import { removeWorkerLocks } from "./slots/clean-metadata.ts";
import {
  forgetLayer,
  inspectLayer,
  isIndexed,
  isLayerSaved,
  type LayerState,
  rememberSaved,
  type LayerEntry,
  recallEntries,
} from "./slots/layer-state.ts";
import { findTampering, type Tampering } from "./slots/pointers.ts";
import { preparedPatterns } from "./slots/prepared-patterns.ts";
import type { PrivateGit } from "./git/private-directory.ts";
import { readGitLine, runGit, splitAtZeros } from "./git/run-git.ts";
import type { StatusEntry } from "./git/status.ts";
import { findLfsFiles, stageLfsFiles } from "./capture/lfs-files.ts";

export interface ImportRequest {
  readonly id: string;
  /** Subject and body of the commit for the worker's uncommitted changes. */
  readonly message: string;
  /** The worker has ended, so the indexes may follow later; `waitForWorkspace` waits for them. */
  readonly isOver?: boolean;
}

export interface ImportedWork extends Omit<ImportedSandboxWork, "historyDropped" | "leftOut"> {
  /** Files that are not in the tip, with the reason. */
  readonly leftOut: readonly LeftOut[];
  /** Set if the workspace was tampered with. Its files were still read, by means that it cannot change. */
  readonly tampering: Tampering | undefined;
}

/** The paths are arguments of one command, which limits their length. */
const MAX_PATH_BYTES = 64 * 1024;

/** The rules in these files apply to other files, too. */
const RULE_FILES: ReadonlySet<string> = new Set([".gitignore", ".gitattributes", ".gitmodules"]);

/**
 * Commits everything a worker left, tracked or not, on top of the worker's own commits, and keeps all of it under our
 * refs. Reads the files with our own index and git directory; nothing in the workspace is run or trusted.
 */
export async function importWork(context: ProjectContext, request: ImportRequest): Promise<ImportedWork> {
  const { repository, stateDirectory } = context;
  const { record, claim } = readClaimedSlot(stateDirectory, request.id);
  await ensureMounted(context, record);
  const tampering = findTampering(record);
  // An import would record that everything was deleted.
  if (tampering === "folder-gone" || tampering === "folder-replaced")
    throw workspaceErrors.workspaceGone(record.path);
  const branchTip = await readRefCommit(repository, workerBranchRef(request.id));
  const savedTip = await readRefCommit(repository, workRefName(request.id));
  const made = await findMadeCommits(repository, record, { base: claim.base, branchTip, savedTip });
  const parent = await chooseParent(repository, { base: claim.base, ...made });
  const look = inspectLayer(record);
  const isSaved = isLayerSaved(look, parent);
  const captured = isSaved
    ? { ...nothing, isIndexed: isIndexed(look, parent) }
    : await captureWorkspace(context, { ...record, commit: parent }, look);
  const { message } = request;
  const committed = await commitIfChanged(context, { parent, tree: captured.tree, message });
  if (captured.changes !== undefined && committed !== parent)
    rememberChangedFiles(repository, { base: parent, tip: committed }, captured.changes);
  const isOwn = parent !== claim.base && parent !== savedTip;
  const work = { base: claim.base, tip: committed, savedTip, message };
  const tip = isOwn ? await cleanCommits(context, record, work) : committed;
  const kept = await listUnreachable(repository, tip, made.commits);
  await changeRefs(repository, [
    { ref: workerBranchRef(request.id), to: tip },
    { ref: baseRefName(request.id), to: claim.base },
    { ref: workRefName(request.id), to: tip },
    ...kept.map((commit) => ({ ref: keptRefName(request.id, commit), to: commit })),
  ]);
  if (tampering === undefined) {
    removeWorkerLocks(record);
    if (!isSaved) updateIndexLater(context, record, captured.changes ?? []);
  }
  // Without a new state, the one before would say that our index still holds its commit.
  if (look === undefined || captured.leftOut.length > 0) forgetLayer(record);
  else
    rememberSaved(look, {
      commit: tip,
      isIndexed: captured.isIndexed && tip === committed && tampering === undefined,
      after: inspectLayer(record),
    });
  if (request.isOver !== true) await waitForPending(record.path);
  const filesChanged = tip === claim.base ? [] : await readChangedFiles(repository, claim.base, tip);
  const nothingChanged = filesChanged.length === 0;
  const { leftOut, putAside } = captured;
  return { base: claim.base, tip, filesChanged, nothingChanged, kept, leftOut, tampering, putAside };
}

interface Captured extends Capture {
  readonly putAside: readonly PutAside[];
  /** Our index holds HEAD, apart from the changes. */
  readonly isIndexed: boolean;
}

const nothing: Omit<Captured, "isIndexed"> = {
  tree: undefined,
  hasNewIndex: false,
  ...noChanges,
  leftOut: [],
  putAside: [],
};

/**
 * Captures the work tree as a tree object: all of it, or the paths at which it can differ from HEAD, which is the commit of
 * the record.
 */
async function captureWorkspace(
  context: ProjectContext,
  record: SlotRecord,
  look: LayerState | undefined,
): Promise<Captured> {
  const { commit } = record;
  const own = await captureOwn(context, record, listWrittenPaths(look, commit));
  if (own !== undefined) return { ...own, putAside: [], isIndexed: isIndexed(look, commit) };
  const { repository, stateDirectory } = context;
  const indexFile = ownIndexPath(stateDirectory, record.name);
  return withSlotGit(context, record, async (git) => {
    const captured = await captureTree({
      git,
      indexFile,
      tracked: "head",
      // Only now is it certain whether the index holds HEAD.
      paths: isIndexed(look, commit) ? listWrittenPaths(look, commit) : undefined,
      filters: [],
      nested: "as-files",
      lfsDirectory: join(repository.commonDirectory, "lfs"),
      inProcess: { repository, head: commit },
    });
    if (captured.hasNewIndex) {
      // If the rest of the import fails, the index holds another commit than the one that is known.
      forgetLayer(record);
      renameSync(join(git.directory, "index"), indexFile);
    }
    return { ...captured, putAside: git.putAside, isIndexed: true };
  });
}

function captureOwn(
  { repository, stateDirectory }: ProjectContext,
  record: SlotRecord,
  paths: readonly string[] | undefined,
): Promise<Capture | undefined> {
  if (paths === undefined) return Promise.resolve(undefined);
  const { commit: head, path: workTree } = record;
  const alsoIgnored = preparedPatterns(stateDirectory, record);
  return captureWritten({ repository, head, workTree, paths, alsoIgnored });
}

interface WorkerCommits {
  readonly base: string;
  readonly tip: string;
  readonly savedTip: string | undefined;
  readonly message: string;
}

/**
 * Commits of a worker with the content of files behind Git LFS are replaced by one commit with pointers, so that the
 * content never reaches a branch; refs keep the worker's own commits.
 */
async function cleanCommits(
  context: ProjectContext,
  record: SlotRecord,
  { base, tip, savedTip, message }: WorkerCommits,
): Promise<string> {
  const { repository } = context;
  const lfsDirectory = join(repository.commonDirectory, "lfs");
  const tree = await withSlotGit(context, { ...record, commit: tip }, (git) =>
    buildCleanTree({ git, base, tip, lfsDirectory }),
  );
  if (tree === undefined) return tip;
  if (savedTip !== undefined && tree === (await readCommitTree(repository, savedTip))) return savedTip;
  return createTreeCommit({ repository, tree, parents: [base], message });
}

async function commitIfChanged(
  { repository }: ProjectContext,
  work: { readonly parent: string; readonly tree: string | undefined; readonly message: string },
): Promise<string> {
  const { parent, tree, message } = work;
  if (tree === undefined || tree === (await readCommitTree(repository, parent))) return parent;
  return createTreeCommit({ repository, tree, parents: [parent], message });
}

interface CommittedWork {
  /** The work tree has the files of `tip`. */
  readonly git: PrivateGit;
  readonly base: string;
  readonly tip: string;
  readonly lfsDirectory: string;
}

/**
 * A worker's own git runs no filter, so its commits may hold the content of files behind Git LFS. Returns a tree with
 * pointers in their place, and undefined if the commits hold none.
 */
async function buildCleanTree({ git, base, tip, lfsDirectory }: CommittedWork): Promise<string | undefined> {
  const { stdout } = await runGit({
    place: git.place,
    arguments: ["diff-tree", "-r", "-z", "--no-renames", "--name-only", "--diff-filter=d", base, tip],
  });
  const files = await findLfsFiles(git, splitAtZeros(stdout).map(toEntry));
  const raw = files.filter(({ isInHead }) => !isInHead);
  if (raw.length === 0) return undefined;
  await runGit({ place: git.place, arguments: ["read-tree", tip] });
  await stageLfsFiles(git, lfsDirectory, raw);
  const tree = await readGitLine({ place: git.place, arguments: ["write-tree", "--missing-ok"] });
  return tree;
}

function toEntry(path: Buffer): StatusEntry {
  return { kind: "changed", isStaged: false, isIndexChanged: false, isRemoved: false, path };
}

/**
 * Lists the paths at which a checkout can differ from a commit that it once held exactly: those whose entries in its
 * layer have changed since. A folder covers everything below it. Undefined if only git can tell.
 */
function listWrittenPaths(look: LayerState | undefined, commit: string): readonly string[] | undefined {
  const before = look === undefined ? undefined : recallEntries(look, commit);
  if (look === undefined || before === undefined) return undefined;
  const paths = [...new Set([...before.keys(), ...look.entries.keys()])].filter((path) =>
    isWritten(before.get(path), look.entries.get(path)),
  );
  return paths.some(affectsOthers) || Buffer.byteLength(paths.join()) > MAX_PATH_BYTES ? undefined : paths;
}

/** A folder that shows the shared one now has changed nevertheless if it showed another one before. */
function isWritten(before: LayerEntry | undefined, now: LayerEntry | undefined): boolean {
  if (now?.facts === before?.facts) return false;
  return now?.showsShared !== true || before?.showsShared === false;
}

function affectsOthers(path: string): boolean {
  return RULE_FILES.has(basename(path)) || path.split("/").includes(".git");
}
