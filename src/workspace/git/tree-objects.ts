import { getRefPlace, type Repository } from "./repository.ts";
import { runGit } from "./run-git.ts";
import { hashObject, writeObject } from "./write-object.ts";

/** Names are bytes, kept as Latin-1 text: each character is one byte, so texts sort as bytes do. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

export type TreeEntries = Map<string, TreeEntry>;

const MAX_KNOWN_TREES = 2000;
const MAX_KNOWN_BYTES = 256 * 1024;
const FOLDER_MODE = "40000";

/** Trees by their id, which identifies their content in any repository; the oldest are forgotten. */
const known = new Map<string, Buffer>();

export function isFolder({ mode }: TreeEntry): boolean {
  return mode === FOLDER_MODE;
}

export function makeFolderEntry(id: string): TreeEntry {
  return { mode: FOLDER_MODE, id };
}

/** Reads the entries of the folders of a tree; undefined if git cannot be asked about one of these names. */
export async function readFolders(
  repository: Repository,
  root: string,
  folders: readonly string[],
): Promise<ReadonlyMap<string, TreeEntries> | undefined> {
  const found = new Map<string, TreeEntries>();
  const missing = folders.filter((folder) => {
    const entries = readKnownFolder(repository, root, folder);
    if (entries !== undefined) found.set(folder, entries);
    return entries === undefined;
  });
  if (missing.length === 0) return found;
  if (missing.some((folder) => folder.includes("\n"))) return undefined;
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["cat-file", "--batch"],
    stdin: Buffer.from(missing.map((folder) => `${root}:${toFolderPath(folder)}\n`).join(""), "latin1"),
  });
  for (const [index, answer] of parseBatch(stdout).entries()) {
    const isTree = answer?.type === "tree";
    if (isTree) rememberTree(answer.id, answer.content);
    found.set(missing[index] ?? "", isTree ? parseTree(repository, answer.content) : new Map());
  }
  return missing.every((folder) => isWhole(found, folder)) ? found : undefined;
}

/** With a slash at the end, git finds no file, whose content it would print. */
function toFolderPath(folder: string): string {
  return folder === "" ? "" : `${folder}/`;
}

/** In a partial clone git may lack a folder that exists; it must not pass for an empty one. */
function isWhole(found: ReadonlyMap<string, TreeEntries>, folder: string): boolean {
  const entries = found.get(folder);
  if (entries === undefined || entries.size > 0) return entries !== undefined;
  const slash = folder.lastIndexOf("/");
  const there = found.get(folder.slice(0, Math.max(0, slash)))?.get(folder.slice(slash + 1));
  return folder !== "" && (there === undefined || !isFolder(there));
}

/** Walks down through trees that are known here; undefined where git has to be asked. */
function readKnownFolder(repository: Repository, root: string, folder: string): TreeEntries | undefined {
  let entries = readKnownTree(repository, root);
  for (const name of folder === "" ? [] : folder.split("/")) {
    const entry = entries?.get(name);
    // A folder that is not there yet, or a file of that name, has no entries.
    if (entries !== undefined && (entry === undefined || !isFolder(entry))) return new Map();
    entries = entry === undefined ? undefined : readKnownTree(repository, entry.id);
  }
  return entries;
}

/** The entries of a tree; undefined where git has to be asked. */
export function readKnownTree(repository: Repository, id: string): TreeEntries | undefined {
  const content = known.get(id);
  return content === undefined ? undefined : parseTree(repository, content);
}

interface BatchAnswer {
  readonly id: string;
  readonly type: string;
  readonly content: Buffer;
}

/** `<id> <type> <size>` and the content, or `<name> missing`. */
function parseBatch(output: Buffer): readonly (BatchAnswer | undefined)[] {
  const answers: (BatchAnswer | undefined)[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf("\n", at);
    const line = output.toString("latin1", at, end);
    const [, id = "", type = "", size = ""] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
    const length = Number(size);
    answers.push(id === "" ? undefined : { id, type, content: output.subarray(end + 1, end + 1 + length) });
    at = id === "" ? end + 1 : end + length + 2;
  }
  return answers;
}

/** `<mode> <name>`, a zero and the bytes of the id, for each entry. */
function parseTree({ objectFormat }: Repository, content: Buffer): TreeEntries {
  const idBytes = objectFormat === "sha256" ? 32 : 20;
  const entries: TreeEntries = new Map();
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at);
    const zero = content.indexOf(0, space);
    const mode = content.toString("latin1", at, space);
    const id = content.toString("hex", zero + 1, zero + 1 + idBytes);
    entries.set(content.toString("latin1", space + 1, zero), { mode, id });
    at = zero + 1 + idBytes;
  }
  return entries;
}

export interface TreeOnItsWay {
  readonly id: string;
  readonly whenStored: Promise<void>;
}

/** Stores a tree. Its id is known at once, so that the trees above it need not wait for the disk. */
export function writeTree(repository: Repository, entries: TreeEntries): TreeOnItsWay {
  const content = Buffer.concat(
    [...entries]
      .toSorted(compareEntries)
      .flatMap(([name, { mode, id }]) => [
        Buffer.from(`${mode} ${name}\0`, "latin1"),
        Buffer.from(id, "hex"),
      ]),
  );
  const object = { type: "tree", content } as const;
  const id = hashObject(repository, object);
  return { id, whenStored: writeObject(repository, object).then(() => rememberTree(id, content)) };
}

/** Git sorts a folder as if its name ended in a slash. */
function compareEntries([one, first]: [string, TreeEntry], [other, second]: [string, TreeEntry]): number {
  const left = isFolder(first) ? `${one}/` : one;
  const right = isFolder(second) ? `${other}/` : other;
  return left < right ? -1 : left > right ? 1 : 0;
}

function rememberTree(id: string, content: Buffer): void {
  if (content.length > MAX_KNOWN_BYTES) return;
  known.delete(id);
  // A copy is kept, because a part of a larger buffer would keep all of it.
  known.set(id, Buffer.from(content));
  const oldest = known.size > MAX_KNOWN_TREES ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
}
