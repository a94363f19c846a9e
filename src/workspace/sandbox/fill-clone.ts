import { join } from "node:path";
import { copyIndexWithTime } from "../git/copy-index.ts";
import { runGit } from "../git/run-git.ts";
import { copyDependencies } from "../prepare/dependencies.ts";
import { defaultDependencyFolders, findDependencies } from "../prepare/find-dependencies.ts";
import { includeFiles } from "../prepare/include-files.ts";
import { writeGitDirectory } from "./git-directory.ts";
import { type SetUpClone, type SandboxSetUp, setUpSandbox } from "./set-up-sandbox.ts";

export interface FillRequest extends SandboxSetUp {
  readonly id: string;
  /** The branch that is checked out; without one, HEAD is the base itself. */
  readonly branch?: { readonly ref: string; readonly commit: string };
  readonly dependencyFolders?: readonly string[];
  readonly include?: readonly string[];
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
