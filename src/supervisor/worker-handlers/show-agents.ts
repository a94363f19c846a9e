import * as z from "zod";
import { listDefinitions, type ListedDefinition } from "../../agents/definitions.ts";
import type { Engine } from "../../orchestrator/engine.ts";
import { identify, readFields } from "../../orchestrator/worker-calls.ts";

const agentsSchema = z.strictObject({});
const MOST_AGENTS = 200;
const LONGEST_DESCRIPTION = 300;

/** Agents the caller may name in a delegation, with what they are for; each name once. */
export async function showAgents(engine: Engine, projectRoot: string, input: unknown): Promise<object> {
  const { fields } = identify(engine, input);
  readFields(agentsSchema, fields);
  const { defaultAgent } = await engine.tools.settings();
  const listed = await listDefinitions(projectRoot);
  const agents = listed.filter(({ shadowedBy }) => shadowedBy === undefined).slice(0, MOST_AGENTS);
  return { default: defaultAgent, agents: agents.map(tell) };
}

/** One that cannot be used is told as well: a manager that misses it learns why. */
function tell({ name, definition, problem }: ListedDefinition): object {
  return {
    name,
    description: (definition?.description ?? "").slice(0, LONGEST_DESCRIPTION),
    adapter: definition?.adapter ?? null,
    model: definition?.model ?? null,
    problem: problem ?? null,
  };
}
