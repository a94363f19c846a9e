import { agentErrors } from "../errors/agents.ts";
import { findAgentProgram } from "./adapters/agent-programs.ts";
import { findProgramProbe, findShippedDefinition } from "./adapters/other-programs.ts";
import { builtInAgents, shippedAgents } from "./agent-programs.ts";
import type { AgentDefinition, ListedDefinition } from "./definitions/agent-definition.ts";
import { findBuiltInRole, builtInRoles, type AgentRole } from "./definitions/built-in-roles.ts";
import { definitionFolders, type DefinitionFolder } from "./definitions/folders.ts";
import { readOneDefinition } from "./definitions/read-definition.ts";
import { readDefinitionFile, readDefinitionFolder } from "./definitions/read-folder.ts";
import { missingProgram } from "./missing-program.ts";
import { isAgentName } from "./definitions/values.ts";

export type { AgentDefinition, FieldUse, ListedDefinition } from "./definitions/agent-definition.ts";
export { builtInAgents } from "./agent-programs.ts";
export { listProviderChoices } from "./definitions/models.ts";

/**
 * The agent of this name: from `.ambit/agents`, else from the folders of other tools in their order, else the built-in
 * one. Undefined if the name is unknown. A name can never lead out of those folders. Throws `CONFIG_INVALID` if the
 * file that defines it cannot be used.
 */
export async function readDefinition(
  projectRoot: string,
  name: string,
): Promise<AgentDefinition | undefined> {
  if (!isAgentName(name)) return undefined;
  for (const folder of definitionFolders) {
    const found = await findInFolder(projectRoot, folder, name);
    if (found?.definition !== undefined) return found.definition;
    if (found !== undefined) throw agentErrors.definitionUnusable(found.file, found.problem ?? "");
  }
  return builtInDefinition(name);
}

/**
 * Like `readDefinition`, with the agents of the workflow commands, such as researcher, as the last choice. Each runs as
 * the project's default agent. Throws `AGENT_NOT_FOUND` if there is no default agent for one of them.
 */
export async function readAgentDefinition(
  projectRoot: string,
  name: string,
  defaultAgent: string | null,
): Promise<AgentDefinition | undefined> {
  const found = await readDefinition(projectRoot, name);
  const role = found === undefined ? findBuiltInRole(name) : undefined;
  if (role === undefined) return found;
  const player = defaultAgent === null ? undefined : await readDefinition(projectRoot, defaultAgent);
  if (player === undefined) throw noDefaultAgent(role, defaultAgent);
  return castRole(role, player);
}

function castRole({ name, description, instructions }: AgentRole, player: AgentDefinition): AgentDefinition {
  return { ...player, name, description, instructions, file: "", source: "built-in" };
}

async function findInFolder(
  projectRoot: string,
  folder: DefinitionFolder,
  name: string,
): Promise<ListedDefinition | undefined> {
  if (folder.isNamedByFile && folder.levels === 0) {
    const file = readDefinitionFile(projectRoot, folder, name);
    return file === undefined ? undefined : readOneDefinition(folder, file);
  }
  for (const file of readDefinitionFolder(projectRoot, folder)) {
    const listed = await readOneDefinition(folder, file);
    if (listed.name === name) return listed;
  }
  return undefined;
}

/**
 * Every definition of the project in the order of precedence, then the built-in ones that the project does not replace.
 * With a default agent, the agents of the workflow commands follow.
 */
export async function listDefinitions(
  projectRoot: string,
  defaultAgent: string | null = null,
): Promise<readonly ListedDefinition[]> {
  const listed: ListedDefinition[] = [];
  for (const folder of definitionFolders)
    for (const file of readDefinitionFolder(projectRoot, folder))
      listed.push(await readOneDefinition(folder, file));
  const names = [...builtInAgents, ...shippedAgents];
  const known = [...listed, ...names.flatMap((name) => listWithoutFile(builtInDefinition(name)))];
  const player = known.find(({ name, definition }) => name === defaultAgent && definition !== undefined);
  const roles = player?.definition === undefined ? [] : listBuiltInRoles(player.definition);
  return markShadowed([...known, ...roles]);
}

function listBuiltInRoles(player: AgentDefinition): readonly ListedDefinition[] {
  return builtInRoles.flatMap((role) => listWithoutFile(castRole(role, player)));
}

function listWithoutFile(definition: AgentDefinition | undefined): readonly ListedDefinition[] {
  if (definition === undefined) return [];
  const nothing = { problem: undefined, fields: [], notes: [], shadowedBy: undefined };
  return [{ name: definition.name, source: "built-in", file: "", definition, ...nothing }];
}

/** The first definition of a name wins; a built-in one that is replaced is not listed at all. */
function markShadowed(listed: readonly ListedDefinition[]): readonly ListedDefinition[] {
  const first = new Map<string, string>();
  return listed.flatMap((one) => {
    const shadowedBy = first.get(one.name);
    if (shadowedBy === undefined) first.set(one.name, one.file);
    if (shadowedBy !== undefined && one.source === "built-in") return [];
    return [{ ...one, shadowedBy }];
  });
}

/** The tested versions of a program, as a list in a sentence; undefined for a program without tests. */
export function listTestedVersions(name: string): string | undefined {
  const { tested = [] } = findProgramProbe(name) ?? {};
  return tested.length === 0 ? undefined : tested.map((start) => `${start}x`).join(", ");
}

function noDefaultAgent({ name }: AgentRole, defaultAgent: string | null): Error {
  const why = defaultAgent === null ? "agents.default is not set" : `there is no agent ${defaultAgent}`;
  return agentErrors.defaultAgentMissing(name, why, builtInAgents[0] ?? "");
}

/** The agent that needs no file: a program as it is set up on this machine. */
function builtInDefinition(name: string): AgentDefinition | undefined {
  const program = findAgentProgram(name);
  const shipped =
    program === undefined
      ? findShippedDefinition(name)
      : { title: program.title, adapter: name, command: [] };
  if (shipped === undefined) return undefined;
  return {
    name,
    description: `${shipped.title}, as it is set up on this machine`,
    adapter: shipped.adapter,
    command: shipped.command,
    model: undefined,
    isolation: undefined,
    instructions: "",
    file: "",
    source: "built-in",
  };
}

const MAX_AGENTS = 200;
const MAX_DESCRIPTION_LENGTH = 300;

/**
 * Whether it is only the name of a program. A program can work at several levels of one path; a role that a file or
 * Ambit defines would hand its work to itself.
 */
export function isDriver({
  name,
  adapter,
  command,
  file,
}: Pick<AgentDefinition, "name" | "adapter" | "command" | "file">): boolean {
  return file === "" && (name === adapter || name === command[0]);
}

/**
 * The agents that a manager with this path may name, each name once. Agents that cannot be used are listed too, with the
 * reason.
 */
export async function listNamedAgents(
  projectRoot: string,
  defaultAgent: string | null,
  manager: NamingManager,
): Promise<readonly NamedAgent[]> {
  const listed = await listDefinitions(projectRoot, defaultAgent);
  const agents = listed.filter(({ shadowedBy }) => shadowedBy === undefined).slice(0, MAX_AGENTS);
  return agents.map((agent) => describeNamed(agent, manager));
}

function describeNamed(
  { name, definition, problem }: ListedDefinition,
  { environment, path = [], poolOf }: NamingManager,
): NamedAgent {
  const missing = poolOf === undefined ? explainMissing(definition, environment) : undefined;
  return {
    name,
    description: (definition?.description ?? "").slice(0, MAX_DESCRIPTION_LENGTH),
    adapter: definition?.adapter ?? null,
    model: definition?.model ?? null,
    problem: problem ?? explainOnPath(definition, path) ?? missing ?? null,
    ...(poolOf === undefined ? {} : { pool: poolOf(name) }),
  };
}

interface NamedAgent {
  readonly name: string;
  readonly description: string;
  readonly adapter: string | null;
  readonly model: string | null;
  /** Why it cannot be used; null if it can. */
  readonly problem: string | null;
  /** In a cluster: the pool whose machines run it. */
  readonly pool?: string;
}

interface NamingManager {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Set where other machines run the agents: what is installed here says nothing. */
  readonly poolOf?: ((agent: string) => string) | undefined;
  /** The agents from the story down to the manager, each delegating to the next. */
  readonly path?: readonly string[];
}

function explainMissing(
  definition: AgentDefinition | undefined,
  environment: NamingManager["environment"],
): string | undefined {
  const missing = definition === undefined ? undefined : missingProgram(definition, environment);
  return missing === undefined ? undefined : `not installed: ${missing} is not on this machine's PATH`;
}

/** Definitions that can be used, each name once. */
export async function listUsableAgents(
  projectRoot: string,
  defaultAgent: string | null,
): Promise<readonly AgentDefinition[]> {
  const listed = await listDefinitions(projectRoot, defaultAgent);
  return listed.flatMap(({ definition, shadowedBy }) =>
    definition === undefined || shadowedBy !== undefined ? [] : [definition],
  );
}

function explainOnPath(definition: AgentDefinition | undefined, path: readonly string[]): string | undefined {
  if (definition === undefined || isDriver(definition) || !path.includes(definition.name)) return undefined;
  return "already on your path; leave agent out for a worker like yourself";
}
