import { join } from "node:path";
import type { PrivateGit } from "../git/private-directory.ts";
import { type GitPlace, runGit, splitAtZeros } from "../git/run-git.ts";
import type { Entry } from "./touched.ts";

/**
 * Makes an index that lists a few files and knows nothing of the work tree, so that git must examine each file itself.
 */
export async function makeMiniIndex(
  git: PrivateGit,
  name: string,
  entries: readonly Entry[],
): Promise<GitPlace> {
  const place = { ...git.place, indexFile: join(git.directory, name) };
  await updateIndexInfo(place, entries.map(formatIndexLine));
  return place;
}

const CHECK_OUT_TIMEOUT_MS = 3_600_000;

/** Writes all files of an index into a folder. */
export async function checkOutAll(place: GitPlace, folder: string): Promise<void> {
  await runGit({
    place: { ...place, workTree: folder },
    arguments: ["-C", folder, "checkout-index", "-q", "-f", "-a"],
    timeoutMs: CHECK_OUT_TIMEOUT_MS,
  });
}

/** Lists the files that the work tree does not hold exactly, by content, kind and permissions. */
export async function listDifferent(place: GitPlace): Promise<ReadonlySet<string>> {
  await runGit({ place, arguments: ["update-index", "-q", "--refresh"], accept: [1] });
  const { stdout } = await runGit({
    place,
    arguments: ["diff-files", "-z", "--name-only", "--no-ext-diff", "--ignore-submodules=all"],
  });
  return new Set(splitAtZeros(stdout).map((path) => path.toString("latin1")));
}

/** The other half of a split index would be in our temporary folder. */
export const wholeIndex: readonly string[] = ["-c", "core.splitIndex=false"];

export function formatIndexLine({ path, mode, id }: Entry): string {
  return `${mode} ${id}\t${path}\0`;
}

export function formatRemovalLine(path: string, zero: string): string {
  return `0 ${zero}\t${path}\0`;
}

export async function updateIndexInfo(place: GitPlace, lines: readonly string[]): Promise<void> {
  await runGit({
    place,
    arguments: [...wholeIndex, "update-index", "-z", "--index-info"],
    stdin: Buffer.from(lines.join(""), "latin1"),
  });
}
