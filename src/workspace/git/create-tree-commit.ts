import { recordParents } from "./ancestry.ts";
import { ObjectFacts } from "./object-facts.ts";
import { getRefPlace, type Repository } from "./repository.ts";
import { readGitLine } from "./run-git.ts";
import { readSettings } from "./settings.ts";

export interface CommitRequest {
  readonly repository: Repository;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

const trees = new ObjectFacts<string>(5000);
const OWN_NAME = "ambit";
const OWN_EMAIL = "ambit@localhost";

/** Creates a commit authored by the user, if git knows one, and committed by Ambit. No hook, no signature, no ref. */
export async function createTreeCommit(request: CommitRequest): Promise<string> {
  const { repository, tree, parents, message } = request;
  const settings = await readSettings(repository);
  const made = await readGitLine({
    place: getRefPlace(repository),
    arguments: ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), tree],
    stdin: message,
    environment: {
      GIT_AUTHOR_NAME: settings.userName || OWN_NAME,
      GIT_AUTHOR_EMAIL: settings.userEmail || OWN_EMAIL,
      GIT_COMMITTER_NAME: OWN_NAME,
      GIT_COMMITTER_EMAIL: OWN_EMAIL,
    },
  });
  recordParents(repository, made, parents);
  trees.rememberFact(repository, [made], tree);
  return made;
}

export function readCommitTree(repository: Repository, commit: string): Promise<string> {
  return trees.askOnce(repository, [commit], () =>
    readGitLine({
      place: getRefPlace(repository),
      arguments: ["rev-parse", "--verify", `${commit}^{tree}`],
    }),
  );
}
