import * as z from "zod";
import { countThings } from "../base/count-things.ts";
import { agentErrors } from "../errors/agents.ts";
import { agentSchema, describeAgent, fieldUses } from "./agents/describe-agent.ts";
import { readAgents, type KnownAgent, type KnownAgents } from "./agents/read-agents.ts";
import { defineUseCase } from "./use-case.ts";
import { describeVerdict, verdictFields, type CheckFailure } from "./check/verdict.ts";

export type { AgentDocument } from "./agents/describe-agent.ts";

/** Every agent that can work here, and whether its program is installed. */
export const listAgentsUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output: () => z.looseObject({ default: z.string().nullable(), agents: z.array(agentSchema()) }),
  isReadOnly: true,
  run: async (context) => {
    const { agents, defaultAgent } = await readAgents(context);
    return { default: defaultAgent, agents: agents.map(describeAgent) };
  },
});

const shownAgent = () =>
  agentSchema().extend({ instructions: z.string().nullable(), hides: z.array(z.string()) });

export type ShownAgent = z.output<ReturnType<typeof shownAgent>>;

/** Show one agent: which fields of its file take effect, and why. */
export const showAgentUseCase = defineUseCase({
  input: () => z.strictObject({ name: z.string() }),
  output: shownAgent,
  isReadOnly: true,
  run: async (context, { name }) => {
    const { agents } = await readAgents(context);
    const agent = findAgent(agents, name);
    const hidden = agents.filter((one) => one.name === name && one.shadowedBy !== undefined);
    return {
      ...describeAgent(agent),
      instructions: agent.definition?.instructions ?? null,
      hides: hidden.map(({ file }) => file),
    };
  },
});

function findAgent(agents: readonly KnownAgent[], name: string): KnownAgent {
  const found = agents.find((one) => one.name === name && one.shadowedBy === undefined);
  if (found !== undefined) return found;
  throw agentErrors.notFound(name, [...new Set(agents.map((one) => one.name))]);
}

/** Lists why agents cannot be used (failures), and where they differ from their files (warnings). */
export const checkAgentsUseCase = defineUseCase({
  input: () => z.strictObject({ name: z.string().default("").describe("Only this one") }),
  output: () =>
    z.looseObject({
      valid: z.boolean(),
      agents: z.array(agentSchema()),
      warnings: z.array(z.string()),
      ...verdictFields(),
    }),
  isReadOnly: true,
  run: async (context, { name }) => {
    const known = await readAgents(context);
    const isOne = name !== "";
    if (isOne) findAgent(known.agents, name);
    const agents = isOne ? known.agents.filter((one) => one.name === name) : known.agents.filter(isOwn);
    const warnings = agents.flatMap(listWarnings);
    for (const warning of warnings) context.warn(warning);
    const failures = [
      ...agents.flatMap((agent) => listFailures(agent, isOne || agent.isDefault)),
      ...(isOne ? [] : checkDefault(known)),
    ];
    const count = agents.filter(({ shadowedBy }) => shadowedBy === undefined).length;
    const passed = isOne ? `${name} can be used` : `${countThings(count, "agent")} can be used`;
    return {
      valid: failures.length === 0,
      agents: agents.map(describeAgent),
      warnings,
      ...describeVerdict(passed, failures),
    };
  },
});

/** The project is not responsible for a built-in agent unless it chose it. */
function isOwn({ source, isDefault }: KnownAgent): boolean {
  return source !== "built-in" || isDefault;
}

function listFailures(agent: KnownAgent, needsProgram: boolean): readonly CheckFailure[] {
  const { file, definition, problem, adapter, program, shadowedBy, name } = agent;
  if (shadowedBy !== undefined) return [];
  if (definition === undefined)
    return [{ code: "CONFIG_INVALID", message: `${file} cannot be used: ${problem ?? "unknown reason"}` }];
  if (adapter === undefined)
    return [{ code: "CONFIG_INVALID", message: `${file}: there is no adapter "${definition.adapter}"` }];
  if (!needsProgram || program === undefined || program.path !== null) return [];
  const suggestion = program.next === null ? {} : { suggestion: program.next };
  return [
    { code: "AGENT_NOT_INSTALLED", message: `${name}: ${program.name} is not on the PATH`, ...suggestion },
  ];
}

function checkDefault({ agents, defaultAgent }: KnownAgents): readonly CheckFailure[] {
  if (defaultAgent === null || agents.some(({ name }) => name === defaultAgent)) return [];
  return [
    {
      code: "AGENT_NOT_FOUND",
      message: `agents.default names ${defaultAgent}, which has no definition`,
      suggestion: "Set another one: ambit config set agents.default <name>",
    },
  ];
}

function listWarnings(agent: KnownAgent): readonly string[] {
  const { file, name, notes, shadowedBy, program } = agent;
  const place = file === "" ? name : file;
  if (shadowedBy !== undefined)
    return [`${place} is never used: ${shadowedBy} has the same name and goes first`];
  const ignored = fieldUses(agent).filter(({ honoured }) => !honoured);
  return [
    ...notes.map((note) => `${place}: ${note}`),
    ...ignored.map(({ field, why }) => `${place}: ${field} is ignored: ${why}`),
    ...(program?.path === null && !agent.isDefault ? [`${place}: ${program.name} is not installed`] : []),
    ...(program?.tested === false
      ? [
          `${place}: ${program.name} ${program.version ?? ""} is outside the tested range ${program.range ?? ""}`,
        ]
      : []),
    ...(program?.loggedIn === false
      ? [`${place}: ${program.name} is not logged in; ${program.next ?? ""}`]
      : []),
  ];
}
