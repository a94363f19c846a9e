import { homedir } from "node:os";
import { createAdapterFinder } from "../../agents/find-adapter.ts";
import { builtInAgents, isDriver, listDefinitions, type ListedDefinition } from "../../agents/definitions.ts";
import type { AgentAdapter } from "../../agents/adapter.ts";
import { describeBounds } from "../../agents/own-agents.ts";
import { loadConfig } from "../../config/load-config.ts";
import { resolveProgram } from "../../containment/resolve-program.ts";
import type { AppContext } from "../project/app-context.ts";
import { configInput } from "../project/config-input.ts";
import { findProject } from "../project/open-project.ts";
import { probePrograms, type ProgramFacts } from "./probe-programs.ts";

/** One definition with what this machine has for it. */
export interface KnownAgent extends ListedDefinition {
  readonly isDefault: boolean;
  /** Undefined where the program is unknown. */
  readonly program: ProgramFacts | undefined;
  /** Undefined when no adapter has the name the file gives. */
  readonly adapter: AgentAdapter | undefined;
}

export interface KnownAgents {
  readonly agents: readonly KnownAgent[];
  readonly defaultAgent: string | null;
}

/** Every definition of the project, each program asked once. */
export async function readAgents(context: AppContext): Promise<KnownAgents> {
  const { root } = findProject(context);
  const { values } = await loadConfig(configInput(context));
  const listed = await listDefinitions(root, values.agents.default);
  const programs = await probePrograms(context, wantedPrograms(listed));
  const findAdapter = createAdapterFinder([]);
  const agents = listed.map((one) =>
    Object.assign({}, one, {
      isDefault: one.name === values.agents.default && one.shadowedBy === undefined,
      program: programOf(one, programs, context),
      adapter: adapterOf(one, findAdapter),
      notes: [...one.notes, ...boundsOf(one, findAdapter, context)],
    }),
  );
  return { agents, defaultAgent: values.agents.default };
}

function wantedPrograms(listed: readonly ListedDefinition[]): readonly string[] {
  const adapters = new Set(listed.map(({ definition }) => definition?.adapter));
  const drivers = listed.flatMap(({ definition }) =>
    definition !== undefined && isDriver(definition) ? [definition.name] : [],
  );
  return [...new Set([...builtInAgents.filter((name) => adapters.has(name)), ...drivers])];
}

/** A program that the definition itself names is only looked for; it may take anything for a question about its version. */
function programOf(
  { definition }: ListedDefinition,
  programs: ReadonlyMap<string, ProgramFacts>,
  { environment, directory }: AppContext,
): ProgramFacts | undefined {
  if (definition === undefined) return undefined;
  if (isDriver(definition)) return programs.get(definition.name);
  const [name] = definition.command;
  if (name === undefined) return programs.get(definition.adapter);
  const { PATH = "" } = environment;
  const path = resolveProgram(name, { PATH }, directory);
  const unknown = { version: null, tested: null, range: null, loggedIn: null };
  const next = path === undefined ? `Install ${name}, or correct command: in ${definition.file}.` : null;
  return { name, path: path ?? null, next, ...unknown };
}

function adapterOf(
  { definition }: ListedDefinition,
  find: (name: string) => AgentAdapter,
): AgentAdapter | undefined {
  if (definition === undefined) return undefined;
  try {
    return find(definition.adapter);
  } catch {
    // The finder says which there are; here it is enough that this one is not among them.
    return undefined;
  }
}

/** A program with an adapter of its own is bounded by it; what holds for the login it has is said when work starts. */
function boundsOf(
  one: ListedDefinition,
  findAdapter: (name: string) => AgentAdapter,
  { environment }: AppContext,
): readonly string[] {
  const adapter = adapterOf(one, findAdapter);
  if (adapter === undefined || builtInAgents.includes(adapter.name)) return [];
  const home = environment["HOME"] ?? homedir();
  return describeBounds(adapter, { environment, home, command: one.definition?.command ?? [] });
}
