import { agentPrograms } from "./adapters/agent-programs.ts";
import { knownAgents } from "./known-agents/known-agents.ts";
import type { Carrier } from "./adapter-types/carrier.ts";

export type { Carrier } from "./adapter-types/carrier.ts";
export type {
  McpClient,
  ServerCommand,
  SettingsPath,
  SettingsPlaces,
  SettingsScope,
} from "./adapter-types/mcp-client.ts";
export { pathInHome, pathInRoot, pathInScope } from "./adapter-types/mcp-client.ts";

/** Agents that need no file: each is its program, as it is set up on this machine. */
export const builtInAgents: readonly string[] = agentPrograms.map(({ adapter }) => adapter.name);

/** The same without an adapter of their own: the generic adapters drive them. */
export const shippedAgents: readonly string[] = knownAgents.flatMap(({ name, definition }) =>
  definition === undefined ? [] : [name],
);

/** Programs that a worker must not start itself, because Ambit could not limit their work. */
export const agentProgramNames: readonly string[] = [
  ...builtInAgents,
  ...knownAgents.map(({ name }) => name),
];

/** Names of Markdown files that some agent reads as instructions. */
export const instructionFiles: readonly string[] = [
  "AGENTS.md",
  ...agentPrograms.flatMap((program) => program.instructionFiles),
];

/** Globs of project files that change what an agent does. */
export const agentSettingsPaths: readonly string[] = [
  ...agentPrograms.flatMap(({ settingsPaths }) => settingsPaths),
  ...instructionFiles.map((name) => `**/${name}`),
];

/** Project files that make an agent program run something. */
export const agentCarriers: readonly Carrier[] = agentPrograms.flatMap(({ carriers }) => carriers);

/** The names of model providers in OpenTelemetry's conventions, by adapter. */
export const telemetryProviders: ReadonlyMap<string, string> = new Map(
  agentPrograms.flatMap(({ adapter, telemetryProvider }) =>
    telemetryProvider === undefined ? [] : [[adapter.name, telemetryProvider]],
  ),
);

/** How `ambit mcp` is added to the settings of each program. */
export const agentMcpClients = agentPrograms.map(({ mcpClient }) => mcpClient);
