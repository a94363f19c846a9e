import { basename, join } from "node:path";
import { runGit, splitZero } from "../git.ts";
import { readableIndex, withPrivateGit } from "../git/private-directory.ts";
import type { Repository } from "../repository.ts";
import { signFolder } from "./seal.ts";

export interface FoundDependency {
  /** Relative to the checkout. */
  readonly path: string;
  readonly signature: string;
}

export const defaultDependencyFolders: readonly string[] = ["node_modules", ".venv", "vendor", "target"];

/** Ignored folders of the given names in the user's checkout. A `vendor` that is tracked comes with the commit anyway. */
export async function findDependencies(
  context: { readonly repository: Repository; readonly stateDirectory: string },
  names: readonly string[],
): Promise<readonly FoundDependency[]> {
  if (names.length === 0) return [];
  const { repository, stateDirectory } = context;
  const { stdout } = await withPrivateGit(
    { repository, stateDirectory, workTree: repository.workTree, head: "0".repeat(40) },
    (git) =>
      runGit({
        place: { ...git.place, indexFile: readableIndex(git, join(repository.gitDirectory, "index")) },
        arguments: ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"],
      }),
  );
  return splitZero(stdout)
    .map((entry) => entry.toString("utf8"))
    .filter((entry) => entry.endsWith("/") && !entry.includes("\uFFFD"))
    .map((entry) => entry.slice(0, -1))
    .filter((path) => names.includes(basename(path)) && !path.startsWith(".ambit/"))
    .map((path) => ({ path, signature: signFolder(join(repository.workTree, path)) }));
}
