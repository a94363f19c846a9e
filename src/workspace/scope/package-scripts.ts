import { isRecord } from "../../base/json.ts";
import { readBlobs } from "../git/read-blobs.ts";
import type { ChangedFile } from "../git/read-changes.ts";
import { type Repository } from "../git/repository.ts";

/** Finds changed `package.json` files whose fields that run code differ: installing or testing would run them. */
export async function findScriptChanges(
  repository: Repository,
  changes: readonly ChangedFile[],
): Promise<readonly ChangedFile[]> {
  const packages = changes.filter(({ path, kind }) => kind !== "removed" && isPackageFile(path));
  if (packages.length === 0) return [];
  const contents = await readBlobs(
    repository,
    packages.flatMap(({ oldId, newId }) => [oldId, newId]),
  );
  return packages.filter(
    (_, index) => readRunningFields(contents[index * 2]) !== readRunningFields(contents[index * 2 + 1]),
  );
}

function isPackageFile(path: string): boolean {
  return path.toLowerCase().split("/").at(-1) === "package.json";
}

/** Fields that package managers, their hooks and their plug-ins run or choose programs by, with the page that says so. */
const runningFields = [
  // docs.npmjs.com/cli/configuring-npm/package-json
  "scripts",
  "bin",
  "directories",
  "gypfile",
  "binary",
  "overrides",
  "config",
  "devEngines",
  // nodejs.org/api/corepack.html
  "packageManager",
  // pnpm.io/package_json
  "pnpm",
  // yarnpkg.com/configuration/manifest
  "resolutions",
  "dependenciesMeta",
  "installConfig",
  // bun.sh/docs/install/lifecycle
  "trustedDependencies",
  "patchedDependencies",
  // lavamoat.github.io/guides/allow-scripts
  "lavamoat",
  "allowScripts",
  // typicode.github.io/husky and other managers of git hooks
  "husky",
  "hooks",
  "lint-staged",
  "simple-git-hooks",
  "pre-commit",
  "pre-push",
  "gitHooks",
  "ghooks",
  "nano-staged",
  "lefthook",
  // github.com/google/wireit, nx.dev, github.com/volta-cli
  "wireit",
  "nx",
  "volta",
] as const;

const dependencyFields = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "bundleDependencies",
] as const;

/** Returns a text to compare; invalid content differs from everything. */
function readRunningFields(content: Buffer | undefined): string {
  if (content === undefined) return JSON.stringify(selectRunningFields({}));
  try {
    const value: unknown = JSON.parse(content.toString("utf8"));
    return JSON.stringify(selectRunningFields(isRecord(value) ? value : {}));
  } catch {
    return `unreadable ${content.toString("latin1")}`;
  }
}

function selectRunningFields(value: Readonly<Record<string, unknown>>): readonly unknown[] {
  const fields = runningFields.map((name) => value[name] ?? null);
  return [...fields, ...dependencyFields.map((name) => listForeignPackages(value[name]))];
}

/** Packages that come from a repository, a folder or an address: no registry holds them to a version. */
function listForeignPackages(dependencies: unknown): readonly unknown[] {
  if (!isRecord(dependencies)) return [];
  return Object.entries(dependencies).filter(([, range]) => typeof range !== "string" || isForeign(range));
}

/** `git+ssh://…`, `github:owner/name`, `owner/name`, `file:…`, `link:…`, `exec:…`, an address; not `npm:` and `workspace:`. */
function isForeign(range: string): boolean {
  if (/^(?:workspace|catalog|npm|jsr):/.test(range)) return false;
  return /^[a-z][a-z\d+.-]*:/i.test(range) || range.includes("/");
}
