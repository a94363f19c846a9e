import { writeFileSync } from "node:fs";
import { withPrivateGit } from "../git/private-directory.ts";
import { listIgnored, patternsOf } from "../prepare/ignored-patterns.ts";
import { runSetUp } from "../prepare/run-set-up.ts";
import type { Repository } from "../repository.ts";
import type { OnWorkspaceProgress, SandboxPlaces, SetUp, Workspace } from "../workspace.ts";
import type { SandboxFolders } from "./folders.ts";

export interface SandboxSetUp {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly base: string;
  readonly setUp?: SetUp;
  readonly onProgress?: OnWorkspaceProgress;
}

/** Runs `workspace.setup` for a clone, and notes what is in it that is nobody's work. */
export async function setUpSandbox(
  request: SandboxSetUp,
  clone: SandboxPlaces & Pick<Workspace, "environment" | "path"> & { readonly folders: SandboxFolders },
  brought: Pick<Workspace, "dependencies" | "included">,
): Promise<void> {
  const own = patternsOf([...brought.included, ...brought.dependencies.map(({ path }) => path)]);
  const left = request.setUp === undefined ? [] : await setUpAndList(request, request.setUp, clone);
  const lines = [...own, ...left];
  writeFileSync(clone.folders.ignores, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
}

async function setUpAndList(
  request: SandboxSetUp,
  setUp: SetUp,
  clone: SandboxPlaces & Pick<Workspace, "environment" | "path"> & { readonly folders: SandboxFolders },
): Promise<readonly string[]> {
  const { path, environment, writable, readOnly, home, temporary } = clone;
  const sandbox = { writable, readOnly, home, temporary };
  await runSetUp({ setUp, checkout: { path, environment, sandbox }, onProgress: request.onProgress });
  return withPrivateGit({ ...request, workTree: path, head: request.base }, (git) =>
    listIgnored({ ...git.place, indexFile: clone.folders.index }),
  );
}
