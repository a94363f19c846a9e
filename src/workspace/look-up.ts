import type { ArtifactState } from "../contract/validate-return.ts";
import { readCommitTree } from "./git/create-tree-commit.ts";
import { readChangedFiles } from "./git/read-changes.ts";
import { readCheckoutHead, readRefCommit } from "./git/read-head.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { runGit } from "./git/run-git.ts";
import { readSettings } from "./git/settings.ts";

/** Returns the commit of a full ref name. */
export async function readBranchCommit(repository: Repository, ref: string): Promise<string | null> {
  return (await readRefCommit(repository, ref)) ?? null;
}

/** Returns the commit that is checked out. */
export async function readHeadCommit(repository: Repository): Promise<string | null> {
  return (await readCheckoutHead(repository, repository.gitDirectory)).commit ?? null;
}

/** Lists the paths in which two commits differ, read from their trees. */
export async function listChangedPaths(
  repository: Repository,
  base: string,
  commit: string,
): Promise<readonly string[]> {
  return (await readChangedFiles(repository, base, commit)).map(({ path }) => path);
}

export function readTreeId(repository: Repository, commit: string): Promise<string> {
  return readCommitTree(repository, commit);
}

/** Returns the state of these paths in the tree of a commit; links, devices and submodules are not files there. */
export async function probeCommittedPaths(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ArtifactState>> {
  const usual = paths.filter(
    (path) => path !== "" && !path.startsWith("/") && !path.split("/").includes(".."),
  );
  if (usual.length === 0) return new Map();
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["--literal-pathspecs", "ls-tree", "-lz", "--full-tree", commit, "--", ...usual],
  });
  const entries = stdout.toString("utf8").split("\0").flatMap(parseTreeEntry);
  return new Map(entries);
}

const MARKER = "^(<<<<<<<|>>>>>>>)( |$)";
const MAX_SEARCHED_FILES = 500;

/** Returns the files of a commit that still contain conflict markers. */
export async function findConflictMarkers(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: [
      "--literal-pathspecs",
      "grep",
      "-lzIE",
      "-e",
      MARKER,
      commit,
      "--",
      ...paths.slice(0, MAX_SEARCHED_FILES),
    ],
    accept: [1],
  });
  const found = stdout.toString("utf8").split("\0");
  return found.flatMap((line) => (line === "" ? [] : [line.slice(commit.length + 1)]));
}

/** `mode type object size<tab>path` */
function parseTreeEntry(line: string): readonly (readonly [string, ArtifactState])[] {
  const tab = line.indexOf("\t");
  if (tab < 0) return [];
  const [mode = "", , , size = ""] = line.slice(0, tab).split(/ +/);
  const isFile = mode === "100644" || mode === "100755";
  return isFile ? [[line.slice(tab + 1), size === "0" ? "empty" : "file"]] : [];
}

/** Whether the user's own commits are signed. Ours never are: signing may ask for a passphrase. */
export async function isSigningExpected(repository: Repository): Promise<boolean> {
  return (await readSettings(repository)).signsCommits;
}
