import type { ChangedFile } from "../git/read-changes.ts";
import { refPlace, type Repository } from "../git/repository.ts";
import { runGit, splitZero } from "../git/run-git.ts";
import { showPath } from "../git/show-path.ts";

/** Two paths that are identical on a file system that ignores case or writes accents differently. */
export type Twins = readonly [string, string];

/** Finds new paths and folders that differ from another path in the tip only by case or accent form. */
export async function findTwins(
  repository: Repository,
  tip: string,
  changes: readonly ChangedFile[],
): Promise<readonly Twins[]> {
  const added = changes.filter(({ kind }) => kind === "added").map(({ path }) => path);
  if (added.length === 0) return [];
  const { stdout } = await runGit({
    place: refPlace(repository),
    arguments: ["ls-tree", "-r", "-z", "--name-only", tip],
  });
  const spellings = new Map<string, string>();
  const wanted = new Set(added.flatMap(withFolders).map(fold));
  const twins = new Map<string, Twins>();
  for (const name of splitZero(stdout).flatMap((bytes) => withFolders(showPath(bytes)))) {
    const key = fold(name);
    if (wanted.has(key)) {
      const first = spellings.get(key);
      if (first === undefined) spellings.set(key, name);
      else if (first !== name) twins.set(key, [first, name]);
    }
  }
  return [...twins.values()];
}

/** `a/b/c` → `a`, `a/b`, `a/b/c` */
function withFolders(path: string): readonly string[] {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase().normalize("NFC");
}
