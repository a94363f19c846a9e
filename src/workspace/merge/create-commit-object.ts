import { recordParents } from "../git/ancestry.ts";
import { getRefPlace, type Repository } from "../git/repository.ts";
import { readGitLine } from "../git/run-git.ts";

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Seconds since 1970: the same inputs give the same commit, before and after a crash. */
  readonly timeSeconds: number;
  /** The author is Ambit if this is absent. */
  readonly author?: { readonly name: string; readonly email: string };
}

/** The author of merge commits. */
const ambitIdentity = { name: "ambit", email: "ambit@localhost" };

/**
 * Creates a commit object that depends on its inputs alone: repeating the call gives the same id and changes nothing. No
 * hook, no signature, no ref.
 */
export async function createCommitObject(repository: Repository, commit: NewCommit): Promise<string> {
  const { tree, parents, author = ambitIdentity } = commit;
  const date = `@${String(Math.floor(commit.timeSeconds))} +0000`;
  const made = await readGitLine({
    place: getRefPlace(repository),
    arguments: [
      "-c",
      "i18n.commitEncoding=UTF-8",
      "commit-tree",
      ...parents.flatMap((parent) => ["-p", parent]),
      tree,
    ],
    // This is the only character that git refuses.
    stdin: commit.message.replaceAll("\0", ""),
    environment: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: ambitIdentity.name,
      GIT_COMMITTER_EMAIL: ambitIdentity.email,
      GIT_COMMITTER_DATE: date,
    },
  });
  recordParents(repository, made, parents);
  return made;
}
