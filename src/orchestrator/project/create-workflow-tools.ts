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
import { buildConfigInput, listOrigins, type ConfigPlace } from "./checkout-settings.ts";

export interface WorkflowPlace {
  /** The checkout, and the shell that decides. */
  readonly source: ConfigPlace;
  readonly stateDirectory: string;
  readonly repository: Repository;
  /** Opens the project's tasks in this folder; changes are journaled for the story. */
  readonly openTasks: (place: { readonly dir: string; readonly story?: string }) => TaskStore;
}

export function createWorkflowTools(place: WorkflowPlace): WorkflowTools {
  const { source, stateDirectory, repository, openTasks } = place;
  const { projectRoot } = source;
  const settings: WorkflowTools["settings"] = async (flags) => {
    const config = await loadConfig({ ...buildConfigInput(source), flags: listFlagSettings(flags) });
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
    tasks: async (story, dir) =>
      openTasks({ dir: dir ?? (await settings()).dir, ...(story === undefined ? {} : { story }) }),
    readCommand: (name) => readCommandDefinition(projectRoot, name),
    readFile: (commit, path) => readCommittedFile(repository, commit, path),
    readHeadFile: (path) => readHeadFile(repository, path),
    replaceFile: (replacement) => replaceFile({ repository, stateDirectory }, replacement),
    commitPaths: (wish) => commitPaths({ repository, stateDirectory }, wish),
    snapshotWithout: (id, paths) =>
      takeSnapshotWithout({ repository, stateDirectory, id, checkout: userCheckout(repository) }, paths),
  };
}
