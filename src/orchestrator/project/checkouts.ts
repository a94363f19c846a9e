import { listUsableAgents, readAgentDefinition } from "../../agents/definitions.ts";
import { projectErrors } from "../../errors/project.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import { openRepository, type Repository } from "../../workspace/repository.ts";
import type { OriginTools } from "../ports/run-tools.ts";
import type { Environment } from "../ports/story-origins.ts";
import { readCheckoutSettings, type ConfigPlace } from "./checkout-settings.ts";
import { createWorkflowTools, type WorkflowPlace } from "./create-workflow-tools.ts";

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
