import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { readIndexFacts } from "./preflight/index-facts.ts";
import { findDependencies } from "./prepare/find-dependencies.ts";
import { listIncludePatterns } from "./prepare/include-files.ts";
import { listIgnored } from "./prepare/list-ignored.ts";
import { buildSlotOptions, type WorkspaceSettings } from "./worktree.ts";

/** Content that the user's checkout has and a fresh workspace lacks. */
export interface MissingContent {
  /**
   * Ignored files, and folders with a slash at the end, that nothing brings into a workspace. Caches, logs and similar
   * files do not count.
   */
  readonly ignored: readonly string[];
  /** Submodules with files in the user's checkout; they are empty in a workspace. */
  readonly submodules: readonly string[];
  /** Filters whose files are pointers in a workspace, such as `lfs`. */
  readonly filters: readonly string[];
}

export async function findMissingContent(settings: WorkspaceSettings): Promise<MissingContent> {
  const { repository, stateDirectory } = settings;
  const { submodules, filters } = await readIndexFacts(repository, stateDirectory);
  return {
    ignored: await listMissingFiles(settings),
    submodules: submodules.filter((path) => isFilled(join(repository.workTree, path))),
    filters,
  };
}

async function listMissingFiles(settings: WorkspaceSettings): Promise<readonly string[]> {
  const options = buildSlotOptions(settings);
  const all = await listIgnored(options, ["--exclude-standard", "--directory"]);
  const dependencies = await findDependencies(options, options.dependencyFolders);
  const brought = new Set(dependencies.map(({ path }) => `${path}/`));
  const patterns = listIncludePatterns(options);
  if (patterns.length > 0)
    for (const name of await listIgnored(options, [...patterns, "--directory"])) brought.add(name);
  return all.filter((name) => !brought.has(name) && !isByProduct(name));
}

/** Files left behind by tools, which make them again when needed. */
const byProducts: ReadonlySet<string> = new Set(
  (
    "__pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .tox .nox .coverage coverage htmlcov .nyc_output .cache " +
    ".parcel-cache .turbo .eslintcache .stylelintcache .DS_Store Thumbs.db .idea .vscode .vs .gradle .direnv .terraform " +
    ".worktrees .ambit logs tmp .tmp"
  ).split(" "),
);
const byProductEndings: readonly string[] =
  ".log .swp .swo .pyc .pyo .tsbuildinfo .pid .sock .orig .rej ~".split(" ");

function isByProduct(name: string): boolean {
  const last = basename(name);
  return byProducts.has(last) || byProductEndings.some((ending) => last.endsWith(ending));
}

function isFilled(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    // The file is missing in a sparse checkout.
    return false;
  }
}
