import { writeFileSync } from "node:fs";
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
import type { SandboxFolders } from "./folders.ts";

export interface SandboxSetUp {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly base: string;
  readonly setUp?: SetUp;
  /** Whether that command may use the network; allowed if absent. */
  readonly setUpNetwork?: boolean;
  readonly onProgress?: OnWorkspaceProgress;
}

export interface SetUpClone extends SandboxPlaces, Pick<FreshCheckout, "environment" | "path"> {
  readonly folders: SandboxFolders;
}

interface BroughtFiles {
  readonly dependencies: readonly { readonly path: string }[];
  readonly included: readonly string[];
}

/** Runs `workspace.setup` for a clone, and notes which files in it are not the worker's work. */
export async function setUpSandbox(
  request: SandboxSetUp,
  clone: SetUpClone,
  brought: BroughtFiles,
): Promise<void> {
  const own = buildIgnorePatterns([...brought.included, ...brought.dependencies.map(({ path }) => path)]);
  const left = request.setUp === undefined ? [] : await setUpAndList(request, request.setUp, clone);
  const lines = [...own, ...left];
  writeFileSync(clone.folders.ignores, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
}

async function setUpAndList(
  request: SandboxSetUp,
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
