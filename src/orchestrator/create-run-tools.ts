import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { adapterFinder } from "../agents/find-adapter.ts";
import { systemClock } from "../base/clock.ts";
import { loadConfig } from "../config/load-config.ts";
import { limitsFromConfig } from "../contract/config-limits.ts";
import { openStore } from "../journal/open-store.ts";
import { storeFile } from "../journal/store-file.ts";
import { openRepository } from "../workspace/repository.ts";
import type { RunNotice, RunTools } from "./run-tools.ts";

export interface RunToolsOptions {
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Starts the built-in scripted worker; the script file is appended. */
  readonly workerProgram: readonly string[];
  readonly owner: string;
  readonly watch: (notice: RunNotice) => void;
}

/** Puts the owners of all effects together for one project. Close the store when done. */
export async function createRunTools(options: RunToolsOptions): Promise<RunTools> {
  const { projectRoot, environment } = options;
  const home = environment["HOME"] ?? homedir();
  const config = await loadConfig({ projectRoot, environment, homeDirectory: home });
  const repository = await openRepository(projectRoot, {
    searchPath: environment["PATH"] ?? "/usr/bin:/bin",
    home,
  });
  hideState(projectRoot);
  return {
    store: openStore(storeFile(projectRoot)),
    workspaces: { repository, stateDirectory: join(projectRoot, ".ambit", "state") },
    limits: limitsFromConfig(config.values, "story"),
    isolation: config.values.workspace.isolation,
    clock: systemClock,
    owner: options.owner,
    environment,
    findAdapter: adapterFinder(options.workerProgram),
    watch: options.watch,
  };
}

/** State never shows up in the user's `git status`; the file that hides it hides itself. */
function hideState(projectRoot: string): void {
  const folder = join(projectRoot, ".ambit");
  const file = join(folder, ".gitignore");
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, "# Written by ambit: run-time state stays out of git.\n/state/\n/.gitignore\n");
}
