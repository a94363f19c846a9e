import { join } from "node:path";
import { readdir, rm } from "node:fs/promises";
import { pathExists } from "../../base/files.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { isDependencyUntouched } from "../prepare/dependencies.ts";
import { recallDependencies } from "../prepare/find-dependencies.ts";
import { fingerprintFolder } from "../prepare/fingerprint.ts";
import { hasDependencies } from "../prepare/has-dependencies.ts";
import { hasRecipe } from "../prepare/has-recipe.ts";
import { canUseLayers } from "../prepare/layers.ts";
import type { SlotOptions } from "../prepare/slot-options.ts";
import { usesSpoiledTree } from "../prepare/tree-trust.ts";
import { type SlotRecord, writeSlotRecord, ownIndexPath } from "../records/record.ts";
import { listFoldersAbove, joinBytePath } from "../files/byte-path.ts";
import type { ProjectContext } from "../git/repository.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";
import { assembleSlot, stageSlotExtras } from "./assemble-slot.ts";
import { checkOutCommit, syncWorkerIndex, withSlotGit } from "./check-out.ts";
import { cleanMetadata } from "./clean-metadata.ts";
import { emptySlot, fillSlot, type RawTree } from "./fill-slot.ts";
import { moveSlotToCommit } from "./hand-out.ts";
import { isLayerFresh, inspectLayer } from "./layer-state.ts";
import { findTampering } from "./pointers.ts";
import { markUnready } from "./prepare-slot.ts";

/**
 * Makes a used checkout as good as new for another worker: the commit's files, nothing untracked, nothing ignored,
 * fresh includes, dependency folders as they were created. Throws if it cannot be sure; the caller then discards the
 * checkout.
 */
export async function cleanSlot(options: SlotOptions, used: SlotRecord, commit: string): Promise<SlotRecord> {
  const marked = markUnready(options.stateDirectory, used);
  if (findTampering(used) !== undefined || used.pointers === null)
    throw workspaceErrors.slotNotClean(used.path, "its git pointers were changed");
  const isSetUp = options.setUp === undefined || used.commit === commit;
  if (isSetUp && (await isLikeNew(options, used))) return refitSlot(options, marked, commit);
  const isLayered = await canUseLayers(options, options.dependencyWay);
  const dependencies = isLayered ? [] : await currentDependencies(options, used);
  const by = { source: options.repository.workTree, recipe: options.recipe };
  const bare: SlotRecord = { ...marked, ...by, included: [], dependencies, layers: [], commit };
  const raw = isLayered
    ? await refillSlot(options, bare, used.pointers.gitFile)
    : await restoreFiles(options, bare);
  cleanMetadata(bare);
  const extras = await stageSlotExtras(options, bare);
  const assembled = await assembleSlot(options, { record: bare, raw, extras });
  const ready = { ...assembled, isReady: true };
  writeSlotRecord(options.stateDirectory, ready);
  return ready;
}

/** Whether its worker wrote nothing, and the brought files still match those of the user. */
async function isLikeNew(options: SlotOptions, used: SlotRecord): Promise<boolean> {
  if (!hasRecipe(options, used)) return false;
  if (!isLayerFresh(inspectLayer(used)) || (await usesSpoiledTree(used))) return false;
  return hasDependencies(used, await recallDependencies(options, options.dependencyFolders));
}

async function refitSlot(options: SlotOptions, used: SlotRecord, commit: string): Promise<SlotRecord> {
  const moved = used.commit === commit ? used : await moveSlotToCommit(options, used, commit);
  cleanMetadata(moved);
  syncWorkerIndex(options.stateDirectory, moved);
  const ready = { ...moved, isReady: true };
  writeSlotRecord(options.stateDirectory, ready);
  return ready;
}

/** A worker's changes are in a layer; without it, the checkout is new. */
async function refillSlot(
  options: SlotOptions,
  record: SlotRecord,
  gitFile: string,
): Promise<RawTree | undefined> {
  await emptySlot(options, record, gitFile);
  return fillSlot(options, record);
}

async function restoreFiles(options: SlotOptions, record: SlotRecord): Promise<undefined> {
  await removeForeignFiles(options, record);
  await checkOutCommit(options, record, record.commit);
  // This runs again with the new commit's list: a file of the old commit that a worker created again is foreign now.
  await removeForeignFiles(options, record);
}

/** Keeps copies that match the user's folders and that no worker has touched; layers are always created again. */
async function currentDependencies(
  { repository }: SlotOptions,
  record: SlotRecord,
): Promise<SlotRecord["dependencies"]> {
  const kept: SlotRecord["dependencies"] = [];
  for (const prepared of record.dependencies) {
    const folder = join(repository.workTree, prepared.path);
    const isCurrent = pathExists(folder) && fingerprintFolder(folder) === prepared.source;
    if (isCurrent && (await isDependencyUntouched(record, prepared))) kept.push(prepared);
  }
  return kept;
}

/**
 * Removes everything from a checkout that its index does not list, except kept dependency folders. `git clean` would
 * skip pipes and sockets, and follow the ignore rules of the last worker.
 */
async function removeForeignFiles(context: ProjectContext, record: SlotRecord): Promise<void> {
  const { stdout } = await withSlotGit(context, record, (git) =>
    runGit({
      place: { ...git.place, indexFile: ownIndexPath(context.stateDirectory, record.name) },
      arguments: ["ls-files", "-z", "--cached"],
    }),
  );
  const files = new Set(splitAtZeros(stdout).map((path) => path.toString("latin1")));
  const kept = new Set(record.dependencies.map(({ path }) => Buffer.from(path).toString("latin1")));
  const folders = new Set([...files, ...kept].flatMap(listFoldersAbove));
  await removeForeignBelow(record.path, "", { files, kept, folders });
}

/** Paths as Latin-1 text: one character per byte, whatever the encoding of the name. */
interface KnownPaths {
  readonly files: ReadonlySet<string>;
  readonly kept: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

async function removeForeignBelow(root: string, folder: string, known: KnownPaths): Promise<void> {
  const entries = await readdir(joinBytePath(root, folder), { withFileTypes: true, encoding: "buffer" });
  for (const entry of entries) {
    const name = entry.name.toString("latin1");
    const path = folder === "" ? name : `${folder}/${name}`;
    const isFolder = entry.isDirectory();
    const isOurs = path === ".git" || (isFolder && known.kept.has(path));
    if (!isOurs && isFolder && known.folders.has(path)) await removeForeignBelow(root, path, known);
    else if (!isOurs && (isFolder || !known.files.has(path) || !isStorable(entry)))
      await rm(joinBytePath(root, path), { recursive: true, force: true });
  }
}

/** A tracked file that became a pipe would block its next reader. */
function isStorable(entry: { isFile(): boolean; isSymbolicLink(): boolean }): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}
