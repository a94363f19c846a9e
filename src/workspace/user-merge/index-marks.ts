import { join } from "node:path";
import { type PrivateGit, findReadableIndex } from "../git/private-directory.ts";
import type { Repository } from "../git/repository.ts";
import { type GitPlace, runGit, splitAtZeros } from "../git/run-git.ts";
import { wholeIndex } from "./mini-index.ts";

/** How `git ls-files -v` shows an entry that is assumed unchanged (h), that skips the work tree (S), or both (s). */
export type IndexMark = "h" | "S" | "s";

/** Marks by path, as Latin-1 text. */
export type IndexMarks = Readonly<Record<string, IndexMark>>;

const marksOfOption: readonly (readonly [string, readonly IndexMark[]])[] = [
  ["--assume-unchanged", ["h", "s"]],
  ["--skip-worktree", ["S", "s"]],
];

/** Reads which of some entries of the user's index are marked. */
export async function readIndexMarks(
  { gitDirectory }: Repository,
  git: PrivateGit,
  paths: readonly string[],
): Promise<IndexMarks> {
  if (paths.length === 0) return {};
  const indexFile = findReadableIndex(git, join(gitDirectory, "index"));
  const { stdout } = await runGit({
    place: { ...git.place, indexFile },
    arguments: ["ls-files", "-z", "-v", "--cached"],
  });
  const wanted = new Set(paths);
  const found = splitAtZeros(stdout).flatMap((line) => {
    const [mark, path] = [readMark(line.toString("latin1", 0, 1)), line.toString("latin1", 2)];
    return mark !== undefined && wanted.has(path) ? [[path, mark] as const] : [];
  });
  return Object.fromEntries(found);
}

function readMark(tag: string): IndexMark | undefined {
  return tag === "h" || tag === "S" || tag === "s" ? tag : undefined;
}

/** The marks of those entries that an index has. */
export function pickMarks(marks: IndexMarks | undefined, paths: readonly string[]): IndexMarks {
  const present = new Set(paths);
  return Object.fromEntries(Object.entries(marks ?? {}).filter(([path]) => present.has(path)));
}

/** Marks entries of an index that has them. */
export async function applyIndexMarks(place: GitPlace, marks: IndexMarks): Promise<void> {
  for (const [option, meant] of marksOfOption) {
    const paths = Object.entries(marks).filter(([, mark]) => meant.includes(mark));
    if (paths.length > 0)
      await runGit({
        place,
        arguments: [...wholeIndex, "update-index", "-z", option, "--stdin"],
        stdin: Buffer.from(paths.map(([path]) => `${path}\0`).join(""), "latin1"),
      });
  }
}
