import type { AgentAdapter, BuiltRun, RunSpec } from "./agent-adapter.ts";
import type { Carrier } from "./carrier.ts";
import type { McpClient } from "./mcp-client.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Everything Ambit knows about one agent CLI. Each folder of `adapters/` with a `program.ts` provides one, and
 * `adapters/agent-programs.ts` lists them; no other file names a CLI.
 */
export interface AgentProgram {
  /** Its `name` is also the program's command and the name of the built-in agent. */
  readonly adapter: AgentAdapter;
  readonly title: string;
  readonly probe: ProgramProbe;
  readonly definitions: ProgramDefinitions;
  readonly models: ProgramModels;
  readonly mcpClient: McpClient;
  /** How it is driven if a definition uses the `acp` adapter with it. */
  readonly acp: AcpProgram;
  /** Undefined if its requests to the model cannot be redirected. */
  readonly findProviderAddress?: (setup: ProgramSetup) => ProviderAddress | undefined;
  /** The provider's name in OpenTelemetry's conventions, if they list one. */
  readonly telemetryProvider?: string;
  /** Globs of project files that change what it does. */
  readonly settingsPaths: readonly string[];
  /** Project files that make it run something; they need the person's trust. */
  readonly carriers: readonly Carrier[];
  /** Names of Markdown files that it reads as instructions, in any folder. */
  readonly instructionFiles: readonly string[];
}

/** The user's side of a program: what decides where it sends its requests. */
export interface ProgramSetup {
  readonly environment: Environment;
  readonly home: string;
  /** Program and arguments of the definition; empty where it has none. */
  readonly command?: readonly string[];
}

/** How to find out whether a program is installed and logged in. */
export interface ProgramProbe {
  readonly package: string;
  /** Prefixes of the versions that Ambit is tested with. */
  readonly tested: readonly string[];
  readonly logIn: string;
  /** Looks at variables and at the program's own files; never asks a provider. */
  readonly readLogin?: (environment: Environment, home: string) => LoginState;
  /** Variables that make it keep its files in `folder` and nowhere else. */
  readonly confineTo?: (folder: string) => Readonly<Record<string, string>>;
}

export type LoginState = boolean | "unknown";

/** How the program's own agent and command files are read. */
export interface ProgramDefinitions {
  readonly agentFolders: readonly ProgramFolder[];
  readonly commandFolders: readonly string[];
  /** Programs with a smaller number win if two of them define the same agent. */
  readonly precedence: number;
  /** Fields without an effect here, and why. */
  readonly ignoredFields: Readonly<Record<string, string>>;
  /** Fields that only this program has and that take effect here, and how. */
  readonly honouredFields: Readonly<Record<string, string>>;
  /** The field that holds the instructions, for files without a text of their own. */
  readonly instructionsField?: string;
  /** Why a definition with these fields cannot be used. */
  readonly findProblem?: (fields: Readonly<Record<string, unknown>>) => string | undefined;
  /** The tools a worker may have, for a program that accepts a list of them. */
  readonly workerTools?: readonly string[];
}

export interface ProgramFolder {
  /** Relative to the project. */
  readonly path: string;
  readonly extension: ".md" | ".toml";
  /** The file's name is the agent's name, whatever its fields say. */
  readonly isNamedByFile: boolean;
  /** Levels of subfolders that are searched. */
  readonly levels: number;
}

/** Which models the program runs and how it wants them named. */
export interface ProgramModels {
  /** Undefined for a program that runs every provider's models and takes them as `provider/model`. */
  readonly family?: ModelFamily;
  /** Names a request may use for this program or its provider. */
  readonly providerNames: readonly string[];
  /** The name that the program wants for a model of its family. */
  readonly shortenModel?: (model: string) => string;
}

export interface ModelFamily {
  readonly name: string;
  /** Matches lower-case model names of the family. */
  readonly pattern: RegExp;
}

/** When an agent tells its usage: while it works, at the end of a turn, or never. */
export type UsageTime = "live" | "end" | "never";

/** The agents that an agent can start itself. Ambit could not limit them. */
export interface OwnAgents {
  /** Names of its tools for that, in lower case. */
  readonly tools: readonly string[];
  readonly isSwitchedOff: boolean;
}

/** An agent's needs in addition to the protocol. */
export interface AcpProgram {
  /** Its program, and its package for commands that start it through a package runner. */
  readonly names: readonly string[];
  /** Each is added only if the command does not have it yet. */
  readonly arguments: readonly (readonly string[])[];
  /** The same, for a project that the person trusts. */
  readonly trustArguments?: readonly (readonly string[])[];
  readonly pass: readonly string[];
  /** Variables that the user's own settings name. */
  readonly findVariables?: (setup: ProgramSetup) => readonly string[];
  /**
   * It reads the settings its own adapter writes: a separate home, its delegation tools off, and our MCP server with a
   * long enough deadline. The protocol has no such deadline, and some agents cancel a call after a minute.
   */
  readonly buildSettings?: (spec: RunSpec) => BuiltRun;
  /** Absent if that is not known. */
  readonly usage?: UsageTime;
  /** It makes additional requests, such as for a title, and does not report them. */
  readonly hidesRequests?: true;
  /** Absent if it is not known whether it has any. */
  readonly ownAgents?: OwnAgents;
  /** Sent with a new session: settings that the protocol has no field for. */
  readonly sessionSettings?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Added inside our sandbox: a sandbox of its own could not start there. */
  readonly sandboxEnvironment?: Readonly<Record<string, string>>;
  /** The program that a bridge starts: by its full path in this variable, as its name is refused to workers. */
  readonly starts?: { readonly program: string; readonly variable: string };
  /** Undefined if its requests to the model cannot be redirected. */
  readonly findProviderAddress?: (setup: ProgramSetup) => ProviderAddress | undefined;
  /** Where its usual provider and its login are reached, over HTTPS; absent for an agent that works with any provider. */
  readonly hosts?: readonly string[];
  /** Addresses that the user's own settings name, for such an agent. */
  readonly findAddresses?: (setup: ProgramSetup) => readonly string[];
  /** Where it keeps its settings and its login; absent for an agent whose adapter copies them itself. */
  readonly homeFolder?: HomeFolder;
  /** It shows the commands it runs only as the titles of its calls. */
  readonly titlesAreCommands?: true;
  /** False for an agent that has no MCP at all: it uses commands in its shell and leaves its return in a file. */
  readonly hasMcp?: boolean;
  /** It ignores servers named in the session and takes a file with this argument instead. */
  readonly mcpFileArgument?: string;
}

export interface HomeFolder {
  /** Moves the folder. */
  readonly variable: string;
  /** Below the user's home. */
  readonly path: string;
  /** Without these it cannot work. */
  readonly files: readonly string[];
}

/** Where a program sends its requests to the model, and how to make it send them elsewhere. */
export interface ProviderAddress {
  readonly upstream: string;
  /** `agentHome` is for an agent that reads its address from a file only. */
  readonly redirect: (built: BuiltRun, url: string, agentHome: string) => BuiltRun;
}

/** The address of a program that reads it from one variable. */
export function addressFromVariable(name: string, environment: Environment, usual: string): ProviderAddress {
  return {
    upstream: environment[name] ?? usual,
    redirect: (built, url) => ({ ...built, environment: { ...built.environment, [name]: url } }),
  };
}

/** Why a field of a program's definition has no effect. */
export const fieldReasons = {
  limits: "Ambit limits time, money and depth itself",
  place: "a worker may edit and run anything in its own workspace",
  servers: "a worker gets only Ambit's MCP server",
  looks: "only its own tool shows it",
  everyone: "any agent can be a worker",
  sampling: "its program has no flag for it",
  settings: "not passed on to its program yet",
} as const;
