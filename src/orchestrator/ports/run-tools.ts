import type { AgentAdapter } from "../../agents/adapter.ts";
import type { AgentDefinition } from "../../agents/definitions.ts";
import type { Clock } from "../../base/clock.ts";
import type { Service } from "../../containment/forward-services.ts";
import type { Limits } from "../../contract/limits.ts";
import type { StoryRequest } from "../../contract/story-request.ts";
import type { StorySetting } from "../../contract/story-setting.ts";
import type { Delegation, Store } from "../../journal/store.ts";
import type { RateGate } from "../../scheduler/rate-gate.ts";
import type { BaseChecks } from "./base-checks.ts";
import type { ContextMeter } from "./context-meter.ts";
import type { Environment, StoryOrigin, StoryOrigins } from "./story-origins.ts";
import type { GitTools } from "./git-tools.ts";
import type { ProcessTools } from "./process-tools.ts";
import type { RemoteAttempts } from "./remote-attempts.ts";
import type { Isolation } from "../../routing/choose-isolation.ts";
import type { DepthPolicy } from "../split/adapt-depth.ts";
import type { WorkflowTools } from "./workflow-tools.ts";

/** The owners of all effects. The process that runs the pipeline creates them once; the simulation replaces them. */
export interface RunTools {
  readonly store: Store;
  readonly git: GitTools;
  readonly processes: ProcessTools;
  readonly clock: Clock;
  readonly stateDirectory: string;
  /** The holder of the leases, as the journal names it. */
  readonly owner: string;
  /**
   * Read each time, so that an edited file takes effect without a restart. These are the project's; `pickStoryTools`
   * gives those of one story, which its shell and the file of its `--config` decide.
   */
  readonly settings: (source?: SettingsSource) => Promise<RunSettings>;
  /** Workers that may run at once over all stories, as the project says; a story may say more for itself. */
  readonly slots: () => Promise<number>;
  /** The maximum of workers on all machines of a cluster at once, if a number is set; no story has more. */
  readonly slotCap?: number;
  readonly findAdapter: (name: string) => AgentAdapter;
  readonly findAgent: (name: string) => Promise<AgentDefinition | undefined>;
  /** Every agent that can be named, each name once. */
  readonly listAgents: () => Promise<readonly AgentDefinition[]>;
  /** The environment an agent starts from; the allow-list is applied later. `pickStoryTools` gives that of one story. */
  readonly environment: Environment;
  readonly origins: StoryOrigins;
  readonly contexts: ContextMeter;
  /** The settings and tools that follow from the shell and the checkout that a story came from. */
  readonly atOrigin: (origin: Pick<StoryOrigin, "checkout" | "environment">) => Promise<OriginTools>;
  /** How a worker reaches the runtime: the socket, and the program that speaks over it. */
  readonly socket: string;
  readonly program: readonly string[];
  readonly workflow: WorkflowTools;
  /** Absent if the base of stories is never checked. */
  readonly baseChecks?: BaseChecks;
  /** Set on a machine of a cluster: how long an attempt stays ours without a heartbeat. It ends itself before that. */
  readonly leaseMs?: number;
  /** On a machine of a cluster: brings the output of an agent on another machine into the files of this one. */
  readonly bringOutput?: (attempt: Pick<Delegation, "attempt" | "id">) => Promise<void>;
  /** On a machine of a cluster: whether the session that an attempt would continue is on this machine. */
  readonly hasSession?: (attempt: Pick<Delegation, "attempt" | "id">) => boolean;
  /** The full accounts, for all machines of a cluster; absent if there is one machine. */
  readonly rates?: RateGate;
  /** Whether another machine may soon begin the next attempt, or has begun it; absent where no other one can. */
  readonly isInDoubt?: (id: string) => boolean;
  /** Absent if this process runs attempts itself. */
  readonly elsewhere?: RemoteAttempts;
  /** The machines that take work now; absent if this process runs attempts itself. */
  readonly listMachines?: () => Promise<readonly FreeMachine[]>;
  /** The pool whose machines run an agent; absent for a project that one machine runs. */
  readonly poolOf?: (agent: string | null) => string;
  /** The maximum of workers whose work is proven together, if it is not the usual number. */
  readonly maxTogether?: number;
  /** Receives output while agents run; nothing waits for it. */
  readonly watch: (notice: RunNotice) => void;
}

export interface FreeMachine {
  readonly name: string;
  /** The pools whose agents it runs. */
  readonly pools: readonly string[];
  /** How many attempts it runs at once, and how many more it could begin now. */
  readonly slots: number;
  readonly free: number;
}

export interface OriginTools extends Pick<RunTools, "findAgent" | "listAgents" | "settings" | "workflow"> {
  /** Set if it is another checkout than the runtime's own. */
  readonly git?: GitTools;
}

/** The sources of settings besides the files and the shell. */
export interface SettingsSource {
  /** A story that is being opened, with the settings of its own file and its command. */
  readonly story?: Pick<StoryRequest, "id" | "delegationConfig" | "flags"> | undefined;
}

/** Which variables commands get in addition to the usual ones. */
export interface VariableSettings {
  readonly pass: readonly string[];
  readonly set: Readonly<Record<string, string>>;
}

export interface CheckSettings {
  /** The time limit for one command. */
  readonly timeoutMs: number;
  /** How often a failed command is repeated. */
  readonly retries: number;
  /** Whether no two checks of the project run at the same time. */
  readonly exclusive: boolean;
  /** Whether checks run on the tree that a story starts from, too. */
  readonly base: boolean;
}

/** The part of the configuration the pipeline acts on. */
export interface RunSettings {
  readonly limits: Limits;
  /** Where the settings of delegation come from, for the story that begins with them. */
  readonly origins: readonly StorySetting[];
  /** `delegation.adaptDepth`, and whether it applies to this story. */
  readonly depthPolicy: DepthPolicy;
  readonly isolation: Isolation;
  /** Whether a sandbox may use the network; null leaves it to the story. */
  readonly network: boolean | null;
  readonly checks: CheckSettings;
  /** `workspace.env` */
  readonly env: VariableSettings;
  /** `workspace.include` */
  readonly include: readonly string[];
  /** `workspace.setup` */
  readonly setup: string | null;
  /** `workspace.ownPath` */
  readonly ownPath: boolean;
  /** `workspace.services` */
  readonly services: readonly Service[] | null;
  /** The commands that ambit.yaml names. */
  readonly commands: readonly string[];
  readonly defaultAgent: string | null;
  readonly testCommand: string | null;
  /** The agent that judges criteria that no command can check. */
  readonly reviewer: string | null;
  readonly artifactTypes: readonly string[];
  readonly retry: {
    readonly enabled: boolean;
    readonly maxAttempts: number;
    readonly backoffMultiplier: number;
  };
  /** How many fresh workers may replace a silent one. */
  readonly reassignSilent: number;
  /** The same at the deadline. */
  readonly reassignLate: number;
  /** The agent that takes the place of a silent or late one. */
  readonly fallbackAgent: string | null;
  readonly keepWorkspaces: boolean;
  /** How Ambit counts usage in addition to the agents' own reports. */
  readonly metering: "auto" | "none" | "proxy";
  /** `agents.addresses` */
  readonly addresses: readonly Service[];
  /** Whether an agent may work although its budget cannot be enforced. */
  readonly unmetered: "refuse" | "allow";
  /** `agents.environment` */
  readonly agentVariables: readonly string[];
  /** `agents.mcp`: commands by name. */
  readonly mcpServers: Readonly<Record<string, string>>;
}

export type RunNotice = { readonly kind: "output"; readonly delegation: string; readonly text: string };
