import { readCheckoutHead } from "./git/read-head.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { runGit } from "./git/run-git.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const NO_SUCH_FILE = 128;

/** Returns a file as it is last committed on the branch that is checked out. */
export async function readHeadFile(repository: Repository, path: string): Promise<Buffer | undefined> {
  const { commit } = await readCheckoutHead(repository, repository.gitDirectory);
  return commit === undefined ? undefined : readCommittedFile(repository, commit, path);
}

/** Returns a file of a commit, byte for byte; undefined if it does not exist or is too large for a document. */
export async function readCommittedFile(
  repository: Repository,
  commit: string,
  path: string,
): Promise<Buffer | undefined> {
  const name = `${commit}:${path}`;
  const place = getRefPlace(repository);
  const size = await runGit({ place, arguments: ["cat-file", "-s", name], accept: [NO_SUCH_FILE] });
  const bytes = size.exitCode === 0 ? Number(size.stdout.toString("utf8").trim()) : Infinity;
  if (!(bytes <= MAX_BYTES)) return undefined;
  const { stdout, exitCode } = await runGit({
    place,
    arguments: ["cat-file", "blob", name],
    accept: [NO_SUCH_FILE],
  });
  return exitCode === 0 ? stdout : undefined;
}
