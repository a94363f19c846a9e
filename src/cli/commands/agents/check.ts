import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { verdictOutcome, type CheckFailure } from "../../verdict-outcome.ts";
import { fieldUses, wireAgent } from "./describe-agent.ts";
import { readAgents, type KnownAgent, type KnownAgents } from "./read-agents.ts";
import { findAgent } from "./show.ts";

/** Failures are what keeps an agent from being used; warnings what it does otherwise than its file says. */
export async function checkAgents(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const name = invocation.argument("name");
  const known = await readAgents(context);
  const isOne = name !== "";
  if (isOne) findAgent(known.agents, name);
  const agents = isOne ? known.agents.filter((one) => one.name === name) : known.agents.filter(isOwn);
  const warnings = agents.flatMap(warningsOf);
  for (const warning of warnings) context.warn(warning);
  const failures = [
    ...agents.flatMap((agent) => failuresOf(agent, isOne || agent.isDefault)),
    ...(isOne ? [] : defaultFailures(known)),
  ];
  const count = agents.filter(({ shadowedBy }) => shadowedBy === undefined).length;
  return verdictOutcome(
    {
      fields: { valid: failures.length === 0, agents: agents.map(wireAgent), warnings },
      passed: isOne ? `${name} can be used` : `${count} agent${count === 1 ? "" : "s"} can be used`,
      failures,
    },
    context,
  );
}

/** A built-in one that nobody chose is no business of the project's. */
function isOwn({ source, isDefault }: KnownAgent): boolean {
  return source !== "built-in" || isDefault;
}

function failuresOf(agent: KnownAgent, needsProgram: boolean): readonly CheckFailure[] {
  const { file, definition, problem, adapter, program, shadowedBy, name } = agent;
  if (shadowedBy !== undefined) return [];
  if (definition === undefined)
    return [{ code: "CONFIG_INVALID", message: `${file} cannot be used: ${problem ?? "nobody knows why"}` }];
  if (adapter === undefined)
    return [{ code: "CONFIG_INVALID", message: `${file}: there is no adapter "${definition.adapter}"` }];
  if (!needsProgram || program === undefined || program.path !== null) return [];
  const suggestion = program.next === null ? {} : { suggestion: program.next };
  return [
    { code: "AGENT_NOT_INSTALLED", message: `${name}: ${program.name} is not on the PATH`, ...suggestion },
  ];
}

function defaultFailures({ agents, defaultAgent }: KnownAgents): readonly CheckFailure[] {
  if (defaultAgent === null || agents.some(({ name }) => name === defaultAgent)) return [];
  const suggestion = "Set another one: ambit config set agents.default <name>";
  return [
    {
      code: "AGENT_NOT_FOUND",
      message: `agents.default names ${defaultAgent}, which nobody describes`,
      suggestion,
    },
  ];
}

function warningsOf(agent: KnownAgent): readonly string[] {
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
