import type { AgentDefinition } from "../../../agents/definitions.ts";
import { DelegationError } from "../../../base/delegation-error.ts";
import type { HandedTo } from "../../../contract/work-spec.ts";
import type { Delegation } from "../../../journal/store.ts";
import { addNote } from "../../delegation/record.ts";
import { checkWorkerBudget } from "../../opening/budget-check.ts";
import { findMissingProgram } from "../../delegation/find-missing-program.ts";
import type { RunTools } from "../../ports/run-tools.ts";

/**
 * The agent of `agents.fallback`, if it can continue this work; otherwise a note says why a fresh worker of the same
 * agent does.
 */
export async function findFallback(tools: RunTools, delegation: Delegation): Promise<HandedTo | undefined> {
  const { fallbackAgent: name } = await tools.settings();
  if (name === null || name === delegation.agent) return undefined;
  const definition = await readDefinition(tools, name);
  const why = await explainUnfit(tools, delegation, { name, definition });
  if (definition !== undefined && why === undefined) return describeAgent(name, definition);
  await addNote(tools, delegation, `agents.fallback ${name} does not take its place: ${why ?? "unknown"}.`);
  return undefined;
}

async function readDefinition(tools: RunTools, name: string): Promise<AgentDefinition | undefined> {
  try {
    return await tools.findAgent(name);
  } catch (error) {
    if (error instanceof DelegationError) return undefined;
    throw error;
  }
}

interface Fallback {
  readonly name: string;
  readonly definition: AgentDefinition | undefined;
}

async function explainUnfit(
  tools: RunTools,
  delegation: Delegation,
  { name, definition }: Fallback,
): Promise<string | undefined> {
  const { path, work, workspace } = delegation;
  if (definition === undefined || work === null) return "there is no such agent";
  if (path.includes(name)) return "it leads this work or does another part of it";
  if (findMissingProgram(tools, definition) !== undefined) return "its program is not installed";
  if (definition.isolation === "sandbox" && workspace?.isolation !== "sandbox") return "it needs a sandbox";
  const wish = {
    manager: delegation,
    request: { description: delegation.description },
    settings: await tools.settings(),
  };
  const { agent: _agent, ...how } = describeAgent(name, definition);
  const { refusals } = await checkWorkerBudget(tools, wish, { ...work, ...how });
  return refusals[0]?.message;
}

function describeAgent(agent: string, { adapter, command, model, tools }: AgentDefinition): HandedTo {
  return {
    agent,
    adapter,
    command: [...command],
    ...(model === undefined ? {} : { model }),
    ...(tools === undefined ? {} : { tools: [...tools] }),
  };
}
