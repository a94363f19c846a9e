import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { listRefs } from "./git/refs.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { readGitStatus } from "./git/status.ts";

/** Everything outside a worktree that its worker could write, each with a fingerprint. */
export type OutsideState = ReadonlyMap<string, string>;

/** The person's branches and tags; Ambit's own refs move all the time. */
const REFS: readonly string[] = ["refs/heads", "refs/tags", "refs/stash"];
const OWN_REFS: readonly string[] = ["refs/heads/ambit/", "refs/heads/delegation/"];
/** Files of a home folder that make programs run something; other files there change by themselves. */
const TELLING_FILES: readonly string[] = [
  ".bash_profile",
  ".bashrc",
  ".gitconfig",
  ".npmrc",
  ".profile",
  ".ssh/authorized_keys",
  ".ssh/config",
  ".zshenv",
  ".zshrc",
];
/** Files of the repository that decide what git does and which programs it runs. */
const GIT_FILES: readonly string[] = [
  "config",
  "config.worktree",
  "info/attributes",
  "info/exclude",
  "info/grafts",
  "objects/info/alternates",
];
const MAX_CHANGED_FILES = 20_000;

/** The person's branches and git settings, the changed files of their checkout, and the entries of their home. */
export async function readOutsideState(repository: Repository): Promise<OutsideState> {
  const [refs, files] = await Promise.all([listRefs(repository, REFS), listChangedFiles(repository)]);
  const branches = refs
    .filter(({ ref }) => !OWN_REFS.some((own) => ref.startsWith(own)))
    .map(({ ref, commit }) => [ref, commit] as const);
  return new Map([...branches, ...files, ...listGitFiles(repository), ...listHome(repository.host.home)]);
}

/** Lists the new, missing and different entries, in words for a person. */
export function compareOutside(before: OutsideState, after: OutsideState): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).toSorted();
}

async function listChangedFiles({
  host,
  workTree,
  gitDirectory,
  ...repository
}: Repository): Promise<readonly (readonly [string, string])[]> {
  const place = { ...getRefPlace({ host, workTree, gitDirectory, ...repository }), gitDirectory, workTree };
  const entries = await readGitStatus(place);
  return entries.slice(0, MAX_CHANGED_FILES).map(({ path }) => {
    const file = join(workTree, path.toString("utf8"));
    return [file, readFingerprint(file)];
  });
}

function listGitFiles({ commonDirectory, gitDirectory }: Repository): readonly (readonly [string, string])[] {
  const hooks = listVisible(join(commonDirectory, "hooks")).map((name) => join("hooks", name));
  const settings = [...GIT_FILES, ...hooks].map((name) => join(commonDirectory, name));
  return [join(gitDirectory, "HEAD"), ...settings].map((file) => [file, readFingerprint(file)] as const);
}

function listHome(home: string): readonly (readonly [string, string])[] {
  const telling = TELLING_FILES.map((name) => join(home, name));
  return [
    ...listVisible(home).map((name) => [join(home, name), "there"] as const),
    ...telling.map((file) => [file, readFingerprint(file)] as const),
  ];
}

function listVisible(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    // There is no such folder: not every user has a home, and not every repository has hooks.
    return [];
  }
}

function readFingerprint(file: string): string {
  try {
    const facts: Stats = lstatSync(file);
    return `${facts.size} ${facts.mtimeMs} ${facts.ino}`;
  } catch {
    // The file was removed, or never existed.
    return "";
  }
}
