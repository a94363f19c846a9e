import { readCommitTree } from "../git/create-tree-commit.ts";
import { formatBytePath } from "../git/format-byte-path.ts";
import type { ChangedFile } from "../git/read-changes.ts";
import { getRefPlace, type Repository } from "../git/repository.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";
import { isFolder, readFolders, type TreeEntries, type TreeEntry } from "../git/tree-objects.ts";

/** Two paths that are identical on a file system that ignores case or writes accents differently. */
export type Twins = readonly [string, string];

/** Finds new paths and folders that differ from another path in the tip only by case or accent form. */
export async function findTwins(
  repository: Repository,
  tip: string,
  changes: readonly ChangedFile[],
): Promise<readonly Twins[]> {
  const added = changes.filter(({ kind }) => kind === "added");
  if (added.length === 0) return [];
  const wanted = new Set(added.flatMap(({ bytes }) => listWithFolders(bytes)).map(foldSpelling));
  const names = (await walkFolders(repository, { tip, added, wanted })) ?? (await listAll(repository, tip));
  const spellings = new Map<string, string>();
  const twins = new Map<string, Twins>();
  for (const name of names) {
    const key = foldSpelling(name);
    if (!wanted.has(key)) continue;
    const first = spellings.get(key);
    if (first === undefined) spellings.set(key, name);
    else if (first !== name) twins.set(key, [formatName(first), formatName(name)]);
  }
  return [...twins.values()];
}

interface Search {
  readonly tip: string;
  readonly added: readonly ChangedFile[];
  readonly wanted: ReadonlySet<string>;
}

/** Reads only the folders in which an added path may have a twin; undefined if git cannot be asked about one of them. */
async function walkFolders(
  repository: Repository,
  { tip, added, wanted }: Search,
): Promise<readonly string[] | undefined> {
  const root = await readCommitTree(repository, tip);
  const above = added.flatMap(({ bytes }) => listWithFolders(bytes).slice(0, -1));
  // All of them at once, so that git is asked once; twins of folders are rare.
  if ((await readFolders(repository, root, ["", ...new Set(above)])) === undefined) return undefined;
  const names: string[] = [];
  for (let level: readonly string[] = [""]; level.length > 0;) {
    const folders = await readFolders(repository, root, level);
    if (folders === undefined) return undefined;
    const found = listEntries(folders).filter(({ path }) => wanted.has(foldSpelling(path)));
    names.push(...found.map(({ path }) => path));
    level = found.filter(({ entry }) => isFolder(entry)).map(({ path }) => path);
  }
  return names;
}

function listEntries(
  folders: ReadonlyMap<string, TreeEntries>,
): readonly { readonly path: string; readonly entry: TreeEntry }[] {
  return [...folders].flatMap(([folder, entries]) =>
    [...entries].map(([name, entry]) => ({ path: folder === "" ? name : `${folder}/${name}`, entry })),
  );
}

async function listAll(repository: Repository, tip: string): Promise<readonly string[]> {
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["ls-tree", "-r", "-z", "--name-only", tip],
  });
  return splitAtZeros(stdout).flatMap(listWithFolders);
}

/** `a/b/c` → `a`, `a/b`, `a/b/c`; names are bytes as Latin-1 text. */
function listWithFolders(path: Buffer): readonly string[] {
  const segments = path.toString("latin1").split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

function foldSpelling(path: string): string {
  return formatName(path).normalize("NFC").toLowerCase().normalize("NFC");
}

function formatName(path: string): string {
  return formatBytePath(Buffer.from(path, "latin1"));
}
