import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withPrivateGit } from "../git/private-directory.ts";
import type { ProjectContext } from "../git/repository.ts";
import { type GitPlace, runGit, splitAtZeros } from "../git/run-git.ts";
import { checkOutAll, makeMiniIndex } from "./mini-index.ts";
import { listFilesOn, readPathStat, type TreeChange } from "./touched.ts";

/**
 * Blobs that hold files byte for byte, by path (Latin-1). A file that is not listed has the bytes of its blob in the
 * tree. Git does not know these bytes: a clean file may have other line ends than git would write.
 */
export type ExactBytes = Readonly<Record<string, string>>;

/** Stores the bytes of the files that a move replaces or removes, where they are not those of the tree. */
export async function storeExactBytes(
  { repository, stateDirectory }: ProjectContext,
  head: string,
  touched: readonly TreeChange[],
): Promise<ExactBytes> {
  const { workTree } = repository;
  const files = listFilesOn(touched, "from").filter(
    ({ path }) => readPathStat(workTree, path)?.isFile() === true,
  );
  if (files.length === 0) return {};
  const known = new Map(files.map(({ path, id }) => [path, id]));
  const stored = await withPrivateGit(
    { repository, stateDirectory, workTree, head, isExact: true },
    ({ place }) => storeFiles(place, [...known.keys()]),
  );
  return Object.fromEntries(stored.filter(([path, id]) => known.get(path) !== id));
}

async function storeFiles(
  place: GitPlace,
  paths: readonly string[],
): Promise<readonly (readonly [string, string])[]> {
  await runGit({
    place,
    arguments: ["update-index", "--add", "-z", "--stdin"],
    stdin: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
  });
  const { stdout } = await runGit({ place, arguments: ["ls-files", "-z", "--stage"] });
  return splitAtZeros(stdout).map((line) => {
    const [facts = "", path = ""] = line.toString("latin1").split(/\t(.*)/s);
    return [path, facts.split(" ")[1] ?? ""] as const;
  });
}

/** Writes the new files into a folder of their own in `directory`, with the very bytes. */
export async function stageExactFiles(
  { repository, stateDirectory }: ProjectContext,
  { head, directory }: { readonly head: string; readonly directory: string },
  { touched, exact }: { readonly touched: readonly TreeChange[]; readonly exact: ExactBytes },
): Promise<string> {
  const stage = join(directory, "stage");
  mkdirSync(stage);
  // A plain object knows some names of files itself, such as `constructor`.
  const blobs = new Map(Object.entries(exact));
  const files = listFilesOn(touched, "to").map(({ path, mode, id }) => ({
    path,
    mode,
    id: blobs.get(path) ?? id,
  }));
  await withPrivateGit({ repository, stateDirectory, workTree: stage, head, isExact: true }, async (git) =>
    checkOutAll(await makeMiniIndex(git, "index-stage", files), stage),
  );
  return stage;
}
