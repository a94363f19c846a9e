import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { createTreeCommit, readCommitTree } from "./git/create-tree-commit.ts";
import { withPrivateGit, type PrivateGit } from "./git/private-directory.ts";
import { readCheckoutHead } from "./git/read-head.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { readGitLine, runGit } from "./git/run-git.ts";

export type CommittedPaths =
  | { readonly status: "committed"; readonly commit: string; readonly branch: string }
  | { readonly status: "unchanged" }
  | { readonly status: "refused"; readonly why: string };

export interface CommitRequest {
  /** Plain files of the checkout; a file that is gone is committed as removed. */
  readonly paths: readonly string[];
  readonly message: string;
}

/**
 * Commits exactly these files on the user's current branch, as `git commit --only` would; all other changes, staged
 * or not, stay as they are. Runs no hook and no filter. Refuses during a merge or rebase.
 */
export async function commitPaths(
  { repository, stateDirectory }: { readonly repository: Repository; readonly stateDirectory: string },
  { paths, message }: CommitRequest,
): Promise<CommittedPaths> {
  const head = await readCheckoutHead(repository, repository.gitDirectory);
  const { ref, commit: from } = head;
  if (ref === undefined || from === undefined) return refuseCommit("no branch is checked out");
  const busy = operations.find((name) => existsSync(join(repository.gitDirectory, name)));
  if (busy !== undefined) return refuseCommit(`another git operation is in progress (${busy})`);
  const plain = paths.filter((path) => isPlainOrGone(repository, path));
  const options = { repository, stateDirectory, workTree: repository.workTree, head: from };
  const made = await withPrivateGit(options, (git) => stagePaths(git, from, plain));
  if (made.tree === (await readCommitTree(repository, from))) return { status: "unchanged" };
  const commit = await createTreeCommit({ repository, tree: made.tree, parents: [from], message });
  // The index comes first: if we are killed in between, the files are staged and nothing is lost.
  const indexed = await updateUserIndex(repository, made.entries);
  if (indexed !== undefined) return refuseCommit(indexed);
  const moved = await runGit({
    place: getRefPlace(repository),
    arguments: ["update-ref", "-m", `ambit: ${message.split("\n", 1)[0] ?? ""}`, ref, commit, from],
    accept: [1, 128],
  });
  if (moved.exitCode !== 0) return refuseCommit(`${ref} was moved by another process at the same time`);
  return { status: "committed", commit, branch: ref };
}

const operations = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "rebase-merge",
  "rebase-apply",
  "index.lock",
];

function refuseCommit(why: string): CommittedPaths {
  return { status: "refused", why };
}

/** A link or a folder in place of a file is not committed. */
function isPlainOrGone({ workTree }: Repository, path: string): boolean {
  const facts = lstatSync(join(workTree, path), { throwIfNoEntry: false });
  return facts === undefined || facts.isFile();
}

/** Returns the tree of a commit with these files as they are now, and their lines for another index. */
async function stagePaths(
  { place }: PrivateGit,
  commit: string,
  paths: readonly string[],
): Promise<{ readonly tree: string; readonly entries: Buffer }> {
  await runGit({ place, arguments: ["read-tree", commit] });
  const list = Buffer.from(paths.map((path) => `${path}\0`).join(""));
  await runGit({ place, arguments: ["update-index", "--add", "--remove", "-z", "--stdin"], stdin: list });
  const tree = await readGitLine({ place, arguments: ["write-tree"] });
  const kept = await runGit({
    place,
    arguments: ["--literal-pathspecs", "ls-files", "-s", "-z", "--", ...paths],
  });
  const names = kept.stdout.toString("utf8");
  const gone = paths.filter((path) => !names.includes(`\t${path}\0`));
  const removed = gone.map((path) => `0 ${"0".repeat(commit.length)}\t${path}\0`).join("");
  return { tree, entries: Buffer.concat([kept.stdout, Buffer.from(removed)]) };
}

/** Returns the reason on failure; git's own lock keeps the user's commands and ours apart. */
async function updateUserIndex(repository: Repository, entries: Buffer): Promise<string | undefined> {
  const { host, gitDirectory, workTree } = repository;
  const indexFile = join(gitDirectory, "index");
  const { exitCode } = await runGit({
    place: { searchPath: host.searchPath, gitDirectory, workTree, indexFile },
    arguments: ["update-index", "-z", "--index-info"],
    stdin: entries,
    accept: [1, 128],
  });
  return exitCode === 0 ? undefined : "a git command of yours holds the index";
}
