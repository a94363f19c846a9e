import type { AgentAdapter } from "../../agents/adapter.ts";
import type { AgentDefinition } from "../../agents/definitions.ts";
import type { Clock } from "../../base/clock.ts";
import type { StoryDelegationConfig } from "../../contract/config.ts";
import type { Limits } from "../../contract/limits.ts";
import type { Store } from "../../journal/store.ts";
import type { GitTools, ProcessTools } from "./git-tools.ts";
import type { WorkflowTools } from "../project/create-workflow-tools.ts";
import type { Isolation } from "../project/work-places.ts";

/** What every stage works with: the owners of all effects, made once by whoever runs the pipeline. */
export interface RunTools {
  readonly store: Store;
  readonly git: GitTools;
  readonly processes: ProcessTools;
  readonly clock: Clock;
  readonly stateDirectory: string;
  /** Who holds the leases: named in the journal. */
  readonly owner: string;
  /** Read anew for every story, so that an edited file holds without a restart. */
  readonly settings: (story?: StorySettingsSource) => Promise<RunSettings>;
  readonly findAdapter: (name: string) => AgentAdapter;
  readonly findAgent: (name: string) => Promise<AgentDefinition | undefined>;
  /** The environment an agent starts from; the allow-list is applied later. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How a worker reaches the runtime: the socket, and the program that speaks over it. */
  readonly socket: string;
  readonly program: readonly string[];
  /** For workflow commands; absent where only stories are run. */
  readonly workflow?: WorkflowTools;
  /** Told of what happens, for whoever watches; never trusted, never waited for. */
  readonly watch: (notice: RunNotice) => void;
}

export interface StorySettingsSource {
  readonly id: string;
  readonly delegationConfig: StoryDelegationConfig | undefined;
}

/** The part of the configuration the pipeline acts on. */
export interface RunSettings {
  readonly limits: Limits;
  readonly isolation: Isolation;
  readonly defaultAgent: string | null;
  readonly testCommand: string | null;
  readonly artifactTypes: readonly string[];
  readonly retry: {
    readonly enabled: boolean;
    readonly maxAttempts: number;
    readonly backoffMultiplier: number;
  };
  /** Fresh workers that may take a silent one's place. */
  readonly reassignSilent: number;
  readonly keepWorkspaces: boolean;
  /** How the use of agents is counted besides by their own reports. */
  readonly metering: "none" | "proxy";
}

export type RunNotice = { readonly kind: "output"; readonly delegation: string; readonly text: string };
