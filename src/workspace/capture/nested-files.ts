import { join } from "node:path";
import type { PrivateGit } from "../git/private-directory.ts";
import { type GitPlace, runGit, splitAtZeros } from "../git/run-git.ts";
import { joinWithZeros, type LeftOut } from "./sort-out.ts";

/** More than any project nests on purpose; if a worker creates thousands, the rest is only reported. */
const MAX_REPOSITORIES = 200;
const SLASH = 0x2f;

export interface NestedFiles {
  readonly files: readonly Buffer[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Lists the files of repositories inside a work tree as plain files. Git is given the nested folder as a work tree of
 * our own private git directory, so it skips the nested `.git` and reads nothing in it.
 */
export async function listNestedFiles(git: PrivateGit, folders: readonly Buffer[]): Promise<NestedFiles> {
  const waiting = [...folders];
  const files: Buffer[] = [];
  const leftOut: LeftOut[] = [];
  for (let count = 0; waiting.length > 0; count += 1) {
    const folder = waiting.shift() ?? Buffer.alloc(0);
    // Program arguments are text here, so a folder whose name is not text cannot be passed.
    if (count < MAX_REPOSITORIES && isUtf8Text(folder)) {
      const found = await listNestedFolder(git, folder);
      waiting.push(...found.filter(endsInSlash));
      files.push(...found.filter((path) => !endsInSlash(path)));
    } else {
      leftOut.push({ path: folder, reason: "nested-repository" });
    }
  }
  return { files: await withoutIgnored(git.place, files), leftOut };
}

async function listNestedFolder(git: PrivateGit, folder: Buffer): Promise<readonly Buffer[]> {
  const place: GitPlace = {
    ...git.place,
    workTree: join(git.place.workTree ?? "", folder.toString("utf8")),
    indexFile: join(git.directory, "index-of-nothing"),
  };
  const { stdout } = await runGit({
    place,
    arguments: ["ls-files", "-z", "--others", "--exclude-standard"],
  });
  return splitAtZeros(stdout).map((path) => Buffer.concat([folder, path]));
}

/** The ignore rules of the surrounding tree also apply inside a nested repository. */
async function withoutIgnored(place: GitPlace, files: readonly Buffer[]): Promise<readonly Buffer[]> {
  if (files.length === 0) return [];
  const { stdout } = await runGit({
    place,
    arguments: ["check-ignore", "-z", "--stdin"],
    stdin: joinWithZeros(files),
    accept: [1],
  });
  const ignored = new Set(splitAtZeros(stdout).map((path) => path.toString("latin1")));
  return files.filter((path) => !ignored.has(path.toString("latin1")));
}

function endsInSlash(path: Buffer): boolean {
  return path.at(-1) === SLASH;
}

function isUtf8Text(path: Buffer): boolean {
  return Buffer.from(path.toString("utf8"), "utf8").equals(path);
}
