import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { pathExists } from "../../base/files.ts";
import { readRefCommit } from "../git/read-head.ts";
import { isAmbitRef } from "../git/refs.ts";
import type { GitHost, Repository } from "../git/repository.ts";
import { askGitInFolder } from "../git/run-git.ts";

export interface GitVersion {
  readonly text: string;
  readonly isTooOld: boolean;
}

/** Merging needs `merge-tree --write-tree`, which came with 2.38. */
const MIN_GIT_MINOR = 38;

export async function readGitVersion(request: { readonly host: GitHost }): Promise<GitVersion> {
  const { stdout } = await askGitInFolder({
    searchPath: request.host.searchPath,
    directory: "/",
    environment: {},
    arguments: ["version"],
  });
  const text = stdout.toString("utf8").trim().split(" ")[2] ?? "";
  const [major = 0, minor = 0] = text.split(".").map(Number);
  return { text, isTooOld: major < 2 || (major === 2 && minor < MIN_GIT_MINOR) };
}

/** A branch with exactly such a name is a file where we need a folder. */
export async function findTakenNames(repository: Repository): Promise<readonly string[]> {
  const taken = await Promise.all(
    ["delegation", "ambit"].map(async (name) => ({
      name,
      tip: await readRefCommit(repository, `refs/heads/${name}`),
    })),
  );
  return taken.filter(({ tip }) => tip !== undefined).map(({ name }) => name);
}

/** Lists git's lock files in the user's repository, except those on our refs. */
export function findLockFiles(repository: Repository): readonly string[] {
  const { commonDirectory, gitDirectory } = repository;
  const plain = [
    join(gitDirectory, "index.lock"),
    join(gitDirectory, "HEAD.lock"),
    join(commonDirectory, "config.lock"),
    join(commonDirectory, "packed-refs.lock"),
  ].filter(pathExists);
  const heads = join(commonDirectory, "refs");
  const refs = readdirSync(heads, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".lock") && !isAmbitRef(`refs/${name}`))
    .map((name) => join(heads, name));
  return [...plain, ...refs].map((path) => relative(join(commonDirectory, ".."), path));
}
