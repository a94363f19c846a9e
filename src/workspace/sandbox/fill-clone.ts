import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { copyIndexWithTime } from "../git/copy-index.ts";
import { runGit } from "../git/run-git.ts";
import { copyDependencies } from "../prepare/dependencies.ts";
import { defaultDependencyFolders, findDependencies } from "../prepare/find-dependencies.ts";
import { includeFiles } from "../prepare/include-files.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { searchWhole } from "../git/put-aside.ts";
import type { Repository } from "../git/repository.ts";
import { listIgnoredPatterns, buildIgnorePatterns } from "../prepare/ignored-patterns.ts";
import type { OnWorkspaceProgress } from "../prepare/progress.ts";
import {
  type FreshCheckout,
  runWorkspaceSetUp,
  type SandboxPlaces,
  type SetUp,
} from "../prepare/run-set-up.ts";
import { writeGitDirectory } from "./git-directory.ts";
import type { SandboxFolders } from "./folders.ts";

export interface FillRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly id: string;
  /** The commit to start from, usually a snapshot. */
  readonly base: string;
  /** The branch that is checked out; without one, HEAD is the base itself. */
  readonly branch?: { readonly ref: string; readonly commit: string };
  readonly dependencyFolders?: readonly string[];
  /** Patterns of ignored files to bring, in addition to those of `.worktreeinclude`. */
  readonly include?: readonly string[];
  /** Runs `workspace.setup` once in the clone, before a worker gets it. */
  readonly setUp?: SetUp;
  /** Whether that command may use the network; allowed if absent, because it is the project's own. */
  readonly setUpNetwork?: boolean;
  readonly onProgress?: OnWorkspaceProgress;
}

export interface BroughtFiles {
  readonly dependencies: readonly { readonly path: string; readonly way: "overlay" | "copy" }[];
  readonly included: readonly string[];
}

const CHECK_OUT_TIMEOUT_MS = 3_600_000;

/** Fills a clone: the files of the base, those the project asks for, its dependencies, then `workspace.setup`. */
export async function fillClone(request: FillRequest, clone: SetUpClone): Promise<BroughtFiles> {
  await checkOutClone(request, clone);
  const brought = await bringIgnoredFiles(request, clone);
  await setUpSandbox(request, clone, brought);
  return brought;
}

async function checkOutClone(
  { repository, base, branch }: FillRequest,
  { folders, readOnly }: SetUpClone,
): Promise<void> {
  const path = join(folders.clone, ".git");
  const head = branch === undefined ? { head: base } : { head: `ref: ${branch.ref}`, branch };
  await writeGitDirectory({ repository, path, objects: readOnly, ...head });
  await runGit({
    place: { searchPath: repository.host.searchPath, gitDirectory: path, workTree: folders.clone },
    arguments: ["-c", "checkout.workers=0", "read-tree", "--reset", "-u", base],
    timeoutMs: CHECK_OUT_TIMEOUT_MS,
  });
  copyIndexWithTime(join(path, "index"), folders.index);
}

/** Copies ignored files and dependencies. A layer over a shared folder would have to be mounted into the sandbox. */
async function bringIgnoredFiles(
  request: FillRequest,
  { folders: { clone } }: SetUpClone,
): Promise<BroughtFiles> {
  const { repository, stateDirectory, id, include = [] } = request;
  const included = await includeFiles({ repository, stateDirectory, include, path: clone });
  const found = await findDependencies(request, request.dependencyFolders ?? defaultDependencyFolders);
  const record = { name: id, path: clone, pooled: false };
  const dependencies = await copyDependencies({ repository, stateDirectory, record, found });
  return {
    included: included.map(({ path }) => path),
    dependencies: dependencies.map(({ path, way }) => ({ path, way })),
  };
}

interface SetUpClone extends SandboxPlaces, Pick<FreshCheckout, "environment" | "path"> {
  readonly folders: SandboxFolders;
}

/** Runs `workspace.setup` for a clone, and notes which files in it are not the worker's work. */
async function setUpSandbox(request: FillRequest, clone: SetUpClone, brought: BroughtFiles): Promise<void> {
  const own = buildIgnorePatterns([...brought.included, ...brought.dependencies.map(({ path }) => path)]);
  const left = request.setUp === undefined ? [] : await setUpAndList(request, request.setUp, clone);
  const lines = [...own, ...left];
  writeFileSync(clone.folders.ignores, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
}

async function setUpAndList(
  request: FillRequest,
  setUp: SetUp,
  clone: SetUpClone,
): Promise<readonly string[]> {
  const { path, environment, writable, readOnly, home, temporary } = clone;
  const sandbox = { writable, readOnly, home, temporary, network: request.setUpNetwork ?? true };
  await runWorkspaceSetUp({
    setUp,
    checkout: { path, environment, sandbox },
    onProgress: request.onProgress,
  });
  return withPrivateGit(
    { ...request, workTree: path, written: searchWhole(path), head: request.base },
    (git) => listIgnoredPatterns({ ...git.place, indexFile: clone.folders.index }),
  );
}
