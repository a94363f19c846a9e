import { readCommandDefinition } from "../../agents/command-definitions.ts";
import { loadConfig } from "../../config/load-config.ts";
import { listFlagSettings } from "../../config/story-flags.ts";
import { limitsFromConfig } from "../../contract/config-limits.ts";
import type { TaskStore } from "../../tasks/task-store.ts";
import { commitPaths } from "../../workspace/commit-paths.ts";
import { readCommittedFile, readHeadFile } from "../../workspace/read-file.ts";
import { replaceFile } from "../../workspace/replace-file.ts";
import type { Repository } from "../../workspace/repository.ts";
import { takeSnapshotWithout } from "../../workspace/snapshot-without.ts";
import { userCheckout } from "../../workspace/snapshot.ts";
import type { WorkflowTools } from "../ports/workflow-tools.ts";
import { buildConfigInput, listOrigins } from "./checkout-settings.ts";

export interface WorkflowPlace {
  readonly projectRoot: string;
  readonly stateDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly repository: Repository;
  /** Opens the project's tasks in this folder; changes are journaled for the story. */
  readonly openTasks: (place: { readonly dir: string; readonly story?: string }) => TaskStore;
}

export function createWorkflowTools(place: WorkflowPlace): WorkflowTools {
  const { projectRoot, stateDirectory, environment, repository, openTasks } = place;
  const { host } = repository;
  const own = { projectRoot, environment, home: host.home };
  const settings: WorkflowTools["settings"] = async ({ environment: shell, flags } = {}) => {
    const input = buildConfigInput(own, { environment: shell });
    const config = await loadConfig({ ...input, flags: listFlagSettings(flags) });
    const { values } = config;
    return {
      limits: limitsFromConfig(values, "workflow"),
      origins: listOrigins(config),
      dir: values.tasks.dir,
      commit: values.tasks.commit,
    };
  };
  return {
    projectRoot,
    settings,
    tasks: async (story) => {
      const { dir } = await settings();
      return openTasks({ dir, ...(story === undefined ? {} : { story }) });
    },
    readCommand: (name) => readCommandDefinition(projectRoot, name),
    readFile: (commit, path) => readCommittedFile(repository, commit, path),
    readHeadFile: (path) => readHeadFile(repository, path),
    replaceFile: (replacement) => replaceFile({ repository, stateDirectory }, replacement),
    commitPaths: (wish) => commitPaths({ repository, stateDirectory }, wish),
    snapshotWithout: (id, paths) =>
      takeSnapshotWithout({ repository, stateDirectory, id, checkout: userCheckout(repository) }, paths),
  };
}
