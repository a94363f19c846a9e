import { listUsableAgents, readAgentDefinition } from "../../agents/definitions.ts";
import { projectErrors } from "../../errors/project.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import { openRepository, type Repository } from "../../workspace/repository.ts";
import { readCommandDefinition } from "../../agents/command-definitions.ts";
import { loadConfig } from "../../config/load-config.ts";
import { listFlagSettings } from "../../config/story-flags.ts";
import { limitsFromConfig } from "../../contract/config-limits.ts";
import type { TaskStore } from "../../tasks/task-store.ts";
import { commitPaths } from "../../workspace/commit-paths.ts";
import { readCommittedFile, readHeadFile } from "../../workspace/read-file.ts";
import { replaceFile } from "../../workspace/replace-file.ts";
import { takeSnapshotWithout } from "../../workspace/snapshot-without.ts";
import { userCheckout } from "../../workspace/snapshot.ts";
import type { OriginTools } from "../ports/run-tools.ts";
import type { Environment } from "../ports/story-origins.ts";
import type { WorkflowTools } from "../ports/workflow-tools.ts";
import {
  readCheckoutSettings,
  type ConfigPlace,
  buildConfigInput,
  listOrigins,
} from "./checkout-settings.ts";

export interface OpenCheckout {
  readonly repository: Repository;
  /** The settings and agents that the checkout gives the stories of one shell; without a shell, no variable counts. */
  readonly forShell: (shell?: Environment) => Omit<OriginTools, "git">;
}

export interface CheckoutsOptions extends Omit<ConfigPlace, "projectRoot" | "shell"> {
  readonly stateDirectory: string;
  readonly openTasks: (place: {
    readonly projectRoot: string;
    readonly host: Repository["host"];
  }) => WorkflowPlace["openTasks"];
}

/** The checkouts of one repository that stories have come from, each opened once. */
export class Checkouts {
  readonly #options: CheckoutsOptions;
  readonly #opened = new Map<string, Promise<OpenCheckout>>();

  constructor(options: CheckoutsOptions) {
    this.#options = options;
  }

  /** Refuses a folder that is not the root of a checkout of this repository. */
  open(root: string): Promise<OpenCheckout> {
    const known = this.#opened.get(root);
    if (known !== undefined) return known;
    const opening = this.#openNow(root);
    this.#opened.set(root, opening);
    // The folder may exist the next time.
    void opening.catch(() => this.#opened.delete(root));
    return opening;
  }

  async #openNow(projectRoot: string): Promise<OpenCheckout> {
    const { stateDirectory, environment, home, openTasks } = this.#options;
    if (getStateDirectory(projectRoot) !== stateDirectory) throw projectErrors.notARepository(projectRoot);
    const host = { searchPath: environment["PATH"] ?? "/usr/bin:/bin", home };
    const repository = await openRepository(projectRoot, host);
    const readSettings = readCheckoutSettings({ projectRoot, environment, home });
    const openOwnTasks = openTasks({ projectRoot, host });
    return {
      repository,
      forShell: (shell) => {
        const settings: OriginTools["settings"] = (source) => readSettings(shell, source);
        const source = { projectRoot, environment, home, shell };
        return {
          settings,
          findAgent: async (name) => readAgentDefinition(projectRoot, name, (await settings()).defaultAgent),
          listAgents: async () => listUsableAgents(projectRoot, (await settings()).defaultAgent),
          workflow: createWorkflowTools({ source, stateDirectory, repository, openTasks: openOwnTasks }),
        };
      },
    };
  }
}

interface WorkflowPlace {
  /** The checkout, and the shell that decides. */
  readonly source: ConfigPlace;
  readonly stateDirectory: string;
  readonly repository: Repository;
  /** Opens the project's tasks in this folder; changes are journaled for the story. */
  readonly openTasks: (place: { readonly dir: string; readonly story?: string }) => TaskStore;
}

function createWorkflowTools(place: WorkflowPlace): WorkflowTools {
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
