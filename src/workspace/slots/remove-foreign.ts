import { readdir, rm } from "node:fs/promises";
import { listFoldersAbove, joinBytePath } from "../files/byte-path.ts";
import { type ProjectContext } from "../git/repository.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";
import { ownIndexPath, type SlotRecord } from "../records/record.ts";
import { withSlotGit } from "./check-out.ts";

/**
 * Removes everything from a checkout that its index does not list, except kept dependency folders. `git clean` would
 * skip pipes and sockets, and follow the ignore rules of the last worker.
 */
export async function removeForeignFiles(context: ProjectContext, record: SlotRecord): Promise<void> {
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
interface Known {
  readonly files: ReadonlySet<string>;
  readonly kept: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

async function removeForeignBelow(root: string, folder: string, known: Known): Promise<void> {
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
