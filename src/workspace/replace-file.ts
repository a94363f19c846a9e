import { withPrivateGit } from "./git/private-directory.ts";
import type { ProjectContext } from "./git/repository.ts";
import { readGitLine, runGit } from "./git/run-git.ts";

export interface FileReplacement {
  /** The commit to change. */
  readonly commit: string;
  /** A tree to change instead of the commit's own. */
  readonly tree?: string;
  readonly path: string;
  /** If absent, the path is removed. */
  readonly content?: Buffer | undefined;
}

/** Returns the tree with one plain file replaced. Writes only objects; no filter runs, so the bytes are kept. */
export function replaceFile(context: ProjectContext, request: FileReplacement): Promise<string> {
  const { commit, tree = commit, path, content } = request;
  return withPrivateGit({ ...context, head: commit, workTree: "/" }, async ({ place }) => {
    await runGit({ place, arguments: ["read-tree", tree] });
    const blob =
      content === undefined
        ? undefined
        : await readGitLine({ place, arguments: ["hash-object", "-w", "--stdin"], stdin: content });
    const entry = blob === undefined ? `0 ${"0".repeat(commit.length)}` : `100644 ${blob}`;
    await runGit({
      place,
      arguments: ["update-index", "-z", "--index-info"],
      stdin: Buffer.from(`${entry}\t${path}\0`),
    });
    return readGitLine({ place, arguments: ["write-tree"] });
  });
}
