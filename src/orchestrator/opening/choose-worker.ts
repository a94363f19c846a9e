import { listProviderChoices, type AgentDefinition } from "../../agents/definitions.ts";
import { findMissingProgram } from "../delegation/find-missing-program.ts";
import { DelegationError } from "../../base/delegation-error.ts";
import { isErrorCode } from "../../contract/error-code.ts";
import type { Failed } from "../../guards/verdict.ts";
import type { Delegation } from "../../journal/store.ts";
import type { RunSettings, RunTools } from "../ports/run-tools.ts";
import type { DelegationsRequest } from "./parse.ts";

export interface Wish {
  readonly manager: Delegation;
  readonly request: DelegationsRequest[number];
  readonly settings: RunSettings;
}

export interface ChosenWorker {
  /** Its name on the path; undefined for a worker that inherits its manager's setup. */
  readonly name: string | undefined;
  readonly definition: AgentDefinition | undefined;
  readonly refusals: readonly Failed[];
  /** The reasons why it is not the requested agent. */
  readonly notes: readonly string[];
}

/** The agent that a request names, else one of the provider it prefers (R4), else the project's default. */
export async function chooseWorker(tools: RunTools, wish: Wish): Promise<ChosenWorker> {
  const { agent, preferred_provider: provider } = wish.request;
  if (provider === undefined) return chooseByName(tools, wish, []);
  if (agent !== undefined)
    return chooseByName(tools, wish, [`${agent} was named, so preferred_provider ${provider} has no effect`]);
  const preferred = await chooseByProvider(tools, wish, provider);
  if (preferred !== undefined) return preferred;
  const fallback = await chooseByName(tools, wish, []);
  const instead = fallback.definition?.name ?? "its manager's agent";
  return {
    ...fallback,
    notes: [`preferred_provider ${provider}: ${explainNoProvider(provider)}; ${instead} does it`],
  };
}

async function chooseByName(tools: RunTools, wish: Wish, notes: readonly string[]): Promise<ChosenWorker> {
  const name = wish.request.agent ?? defaultAgentBelow(wish);
  if (name === undefined) return { name, definition: undefined, refusals: [], notes };
  const found = await findDefinition(tools, name);
  if ("code" in found) return { name, definition: undefined, refusals: [found], notes };
  const missing = findMissingProgram(tools, found);
  return { name, definition: found, refusals: missing === undefined ? [] : [notInstalled(missing)], notes };
}

/** No request named this agent, so it must not be refused as a cycle either. */
function defaultAgentBelow({ manager, settings }: Wish): string | undefined {
  const { defaultAgent } = settings;
  return defaultAgent === null || manager.path.includes(defaultAgent) ? undefined : defaultAgent;
}

/** The project's default agent if it is of that provider, else the provider's own program if it is installed. */
async function chooseByProvider(
  tools: RunTools,
  wish: Wish,
  provider: string,
): Promise<ChosenWorker | undefined> {
  for (const { adapter, model } of listProviderChoices(provider)) {
    for (const name of [defaultAgentBelow(wish), adapter]) {
      const found = name === undefined ? undefined : await findDefinition(tools, name);
      if (found === undefined || "code" in found || found.adapter !== adapter) continue;
      if (findMissingProgram(tools, found) !== undefined) continue;
      const onPath = wish.manager.path.includes(found.name);
      const definition = { ...found, model: model ?? found.model };
      return { name: onPath ? undefined : found.name, definition, refusals: [], notes: [] };
    }
  }
  return undefined;
}

function explainNoProvider(provider: string): string {
  const adapters = listProviderChoices(provider).map(({ adapter }) => adapter);
  return adapters.length === 0 ? "unknown provider" : `${adapters.join(" or ")} is not installed`;
}

/** An unusable definition refuses one request, not the batch. */
async function findDefinition(tools: RunTools, name: string): Promise<AgentDefinition | Failed> {
  try {
    return (await tools.findAgent(name)) ?? unknownAgent(name);
  } catch (error) {
    if (!(error instanceof DelegationError)) throw error;
    const { message, recommendation } = error;
    const code = isErrorCode(error.code) ? error.code : "CONFIG_INVALID";
    return { ok: false, code, message, details: [], suggestion: recommendation };
  }
}

export function unknownAgent(name: string): Failed {
  return {
    ok: false,
    code: "AGENT_NOT_FOUND",
    message: `There is no agent "${name}"`,
    details: [],
    suggestion: `Describe it in .ambit/agents/${name}.md, or name another one: ambit agents list shows them.`,
  };
}

export function notInstalled(program: string): Failed {
  return {
    ok: false,
    code: "AGENT_NOT_INSTALLED",
    message: `The agent program ${program} is not on this machine's PATH`,
    details: [],
    suggestion: `Install ${program}, or name another agent; ambit doctor shows which are installed.`,
  };
}
