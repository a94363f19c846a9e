import { statSync } from "node:fs";
import { join } from "node:path";
import { personalEnvironment, type GitHost, type Repository } from "./repository.ts";
import { askGitInFolder, splitAtZeros } from "./run-git.ts";

/** The few settings of the user that affect how files become content. All others stay out of our git calls. */
export interface Settings {
  readonly userName: string | undefined;
  readonly userEmail: string | undefined;
  /** The names of `filter.<name>.…`. No filter is run, so LFS files stay pointers. */
  readonly filters: readonly string[];
  /** `commit.gpgSign`; Ambit's own commits are never signed, because signing may ask for a passphrase. */
  readonly signsCommits: boolean;
  readonly isSparse: boolean;
  /** Whether worktrees have their own settings. */
  readonly hasWorktreeConfig: boolean;
  readonly isPartialClone: boolean;
  /** Several users write to it, so git gives its files other modes. */
  readonly isShared: boolean;
  /** `files` unless the repository says otherwise. */
  readonly refStorage: string;
  /** The settings to pass on, formatted for the config file of a private git directory. */
  readonly passed: readonly (readonly [string, string])[];
}

/** None of these settings can start a program. */
const passedKeys: readonly string[] = [
  "core.autocrlf",
  "core.bigfilethreshold",
  "core.compression",
  "core.eol",
  "core.filemode",
  "core.ignorecase",
  "core.loosecompression",
  "core.precomposeunicode",
  "core.sparsecheckout",
  "core.sparsecheckoutcone",
  "core.symlinks",
];

interface Cached {
  readonly signature: string;
  /** A promise, so that many concurrent callers start only one git. */
  readonly settings: Promise<Settings>;
}

const cache = new Map<string, Cached>();

/** Reads the user's settings; asks git again only after a configuration file has changed. */
export async function readSettings(repository: Repository): Promise<Settings> {
  const signature = signConfigFiles(repository);
  const known = cache.get(repository.gitDirectory);
  if (known?.signature === signature) return known.settings;
  const reading = { signature, settings: queryGitSettings(repository) };
  cache.set(repository.gitDirectory, reading);
  try {
    return await reading.settings;
  } catch (error) {
    if (cache.get(repository.gitDirectory) === reading) cache.delete(repository.gitDirectory);
    throw error;
  }
}

async function queryGitSettings(repository: Repository): Promise<Settings> {
  const answer = await askGitInFolder({
    searchPath: repository.host.searchPath,
    directory: repository.workTree,
    environment: personalEnvironment(repository.host),
    arguments: [`--git-dir=${repository.gitDirectory}`, "config", "--list", "-z"],
  });
  const { signsCommits, entries } = parseConfigEntries(answer.stdout);
  return { ...interpretSettings(entries, repository), signsCommits };
}

function signConfigFiles(repository: Repository): string {
  const { host, commonDirectory, gitDirectory } = repository;
  return [
    join(commonDirectory, "config"),
    join(gitDirectory, "config.worktree"),
    join(host.home, ".gitconfig"),
    join(getConfigHome(host), "git", "config"),
  ]
    .map(fileSignature)
    .join(" ");
}

function fileSignature(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "-" : `${String(stats.ino)}:${String(stats.size)}:${String(stats.mtimeNs)}`;
}

interface ConfigEntries {
  /** The last value wins, as in git. Keys are in lower case except for their middle part. */
  readonly entries: ReadonlyMap<string, string>;
  readonly signsCommits: boolean;
}

function parseConfigEntries(output: Buffer): ConfigEntries {
  const pairs = splitAtZeros(output).map((entry) => {
    const text = entry.toString("utf8");
    const end = text.indexOf("\n");
    // A key without a value means true.
    return end === -1 ? ([text, "true"] as const) : ([text.slice(0, end), text.slice(end + 1)] as const);
  });
  // The last value is our own: every git that we start is told not to sign.
  const signing = pairs.filter(([key]) => key === "commit.gpgsign").slice(0, -1);
  return { entries: new Map(pairs), signsCommits: signing.at(-1)?.[1] === "true" };
}

function interpretSettings(
  entries: ReadonlyMap<string, string>,
  repository: Repository,
): Omit<Settings, "signsCommits"> {
  const { host } = repository;
  const ignoreFile = entries.get("core.excludesfile") ?? join(getConfigHome(host), "git", "ignore");
  const attributesFile = entries.get("core.attributesfile") ?? join(getConfigHome(host), "git", "attributes");
  const plain = passedKeys.flatMap((key) => {
    const value = entries.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    userName: entries.get("user.name"),
    userEmail: entries.get("user.email"),
    filters: listFilterNames([...entries.keys()]),
    isSparse: entries.get("core.sparsecheckout") === "true",
    hasWorktreeConfig: entries.get("extensions.worktreeconfig") === "true",
    isPartialClone: [...entries].some(isPromisorSetting),
    isShared: entries.has("core.sharedrepository"),
    refStorage: entries.get("extensions.refstorage") ?? "files",
    passed: [
      ...plain,
      ["core.excludesFile", expandHomePath(ignoreFile, host)],
      ["core.attributesFile", expandHomePath(attributesFile, host)],
    ],
  };
}

/** Objects are missing here, and git would fetch them when needed. */
function isPromisorSetting([key, value]: readonly [string, string]): boolean {
  return key === "extensions.partialclone" || (key.endsWith(".promisor") && value === "true");
}

function listFilterNames(keys: readonly string[]): readonly string[] {
  const names = keys
    .filter((key) => key.startsWith("filter."))
    .map((key) => key.slice("filter.".length, key.lastIndexOf(".")));
  return [...new Set(names)];
}

function getConfigHome(host: GitHost): string {
  return host.configHome ?? join(host.home, ".config");
}

function expandHomePath(path: string, host: GitHost): string {
  return path.startsWith("~/") ? join(host.home, path.slice(2)) : path;
}
