import { readCommand, type CommandDefinition } from "../../agents/command-definitions.ts";
import { loadConfig } from "../../config/load-config.ts";
import { limitsFromConfig } from "../../contract/config-limits.ts";
import type { Limits } from "../../contract/limits.ts";
import type { Store } from "../../journal/store.ts";
import type { TaskStore } from "../../tasks/task-store.ts";
import { commitPaths, type CommittedPaths, type CommitWish } from "../../workspace/commit-paths.ts";
import { readCommittedFile } from "../../workspace/read-file.ts";
import type { Repository } from "../../workspace/repository.ts";
import { takeSnapshotWithout, type PartialSnapshot } from "../../workspace/snapshot-without.ts";
import { userCheckout } from "../../workspace/snapshot.ts";
import { openProjectTasks } from "../project-tasks.ts";

/** What workflow commands ask of the project beside what every story does. */
export interface WorkflowTools {
  readonly projectRoot: string;
  /** Read anew each time, so that an edited file holds without a restart. */
  readonly settings: () => Promise<WorkflowSettings>;
  /** The project's tasks; what is changed is journaled for this story. */
  readonly tasks: (story?: string) => Promise<TaskStore>;
  readonly readCommand: (name: string) => Promise<CommandDefinition | undefined>;
  readonly readFile: (commit: string, path: string) => Promise<Buffer | undefined>;
  /** Commits exactly these files on the branch the person stands on. */
  readonly commitPaths: (wish: CommitWish) => Promise<CommittedPaths>;
  /** The person's present state, with these files as they were committed last. */
  readonly snapshotWithout: (id: string, paths: readonly string[]) => Promise<PartialSnapshot>;
}

export interface WorkflowSettings {
  readonly limits: Limits;
  /** `tasks.dir` */
  readonly dir: string;
  /** `tasks.commit` */
  readonly commit: boolean;
}

export interface WorkflowPlace {
  readonly projectRoot: string;
  readonly stateDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly repository: Repository;
  readonly store: Store;
}

export function createWorkflowTools(place: WorkflowPlace): WorkflowTools {
  const { projectRoot, stateDirectory, environment, repository, store } = place;
  const { host } = repository;
  const settings = async (): Promise<WorkflowSettings> => {
    const { values } = await loadConfig({ projectRoot, environment, homeDirectory: host.home });
    return {
      limits: limitsFromConfig(values, "workflow"),
      dir: values.tasks.dir,
      commit: values.tasks.commit,
    };
  };
  return {
    projectRoot,
    settings,
    tasks: async (story) => {
      const { dir } = await settings();
      return openProjectTasks({ projectRoot, dir, host, store, ...(story === undefined ? {} : { story }) });
    },
    readCommand: (name) => readCommand(projectRoot, name),
    readFile: (commit, path) => readCommittedFile(repository, commit, path),
    commitPaths: (wish) => commitPaths({ repository, stateDirectory }, wish),
    snapshotWithout: (id, paths) =>
      takeSnapshotWithout({ repository, stateDirectory, id, checkout: userCheckout(repository) }, paths),
  };
}
