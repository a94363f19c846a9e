import { isUtf8 } from "node:buffer";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { findReadableIndex, withPrivateGit } from "../git/private-directory.ts";
import { getRefPlace, type Repository } from "../git/repository.ts";
import { runGit, splitAtZeros } from "../git/run-git.ts";

export interface IndexFacts {
  readonly files: number;
  /** Paths of submodules and of repositories added by accident. */
  readonly submodules: readonly string[];
  /** Names of filters that the project's attributes ask for. */
  readonly filters: readonly string[];
  readonly oddNames: number;
}

interface Known {
  readonly signature: string;
  readonly facts: Promise<IndexFacts>;
}

/** By index: several preparations of one story ask. */
const known = new Map<string, Known>();

/** Reads facts about the repository from the user's index, in place, and once until git writes another index. */
export async function readIndexFacts(repository: Repository, stateDirectory: string): Promise<IndexFacts> {
  const file = join(repository.gitDirectory, "index");
  const { ino, size, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true, throwIfNoEntry: false }) ?? {};
  const signature = [ino, size, mtimeNs, ctimeNs].join(" ");
  const before = known.get(file);
  if (before?.signature === signature) return before.facts;
  const facts = examineIndex(repository, stateDirectory);
  known.set(file, { signature, facts });
  facts.catch(() => known.delete(file));
  return facts;
}

async function examineIndex(repository: Repository, stateDirectory: string): Promise<IndexFacts> {
  const listed = await withPrivateGit(
    { repository, stateDirectory, workTree: repository.workTree, head: "0".repeat(40) },
    async (git) => {
      const indexFile = findReadableIndex(git, join(repository.gitDirectory, "index"));
      const { stdout } = await runGit({
        place: { ...git.place, indexFile },
        arguments: ["ls-files", "-z", "--stage"],
      });
      return stdout;
    },
  );
  const entries = splitAtZeros(listed).map(parseIndexEntry);
  const attributes = entries.filter(({ path }) => isAttributesFile(path)).map(({ id }) => id);
  return {
    files: entries.length,
    submodules: entries.filter(({ mode }) => mode === "160000").map(({ path }) => path.toString("utf8")),
    filters: await readFilterNames(repository, attributes),
    oddNames: isUtf8(listed) ? 0 : entries.filter(({ path }) => !isUtf8(path)).length,
  };
}

interface Entry {
  readonly mode: string;
  readonly id: string;
  readonly path: Buffer;
}

/** `mode id stage\tpath` */
function parseIndexEntry(line: Buffer): Entry {
  const tab = line.indexOf(0x09);
  const [mode = "", id = ""] = line.subarray(0, tab).toString("latin1").split(" ");
  return { mode, id, path: line.subarray(tab + 1) };
}

function isAttributesFile(path: Buffer): boolean {
  const text = path.toString("latin1");
  return text === ".gitattributes" || text.endsWith("/.gitattributes");
}

async function readFilterNames(repository: Repository, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["cat-file", "--batch"],
    stdin: ids.map((id) => `${id}\n`).join(""),
  });
  const words = stdout.toString("utf8").split(/[ \t\r\n]+/);
  const names = words
    .filter((word) => word.startsWith("filter="))
    .map((word) => word.slice("filter=".length));
  return [...new Set(names)];
}
