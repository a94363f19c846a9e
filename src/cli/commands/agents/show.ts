import { DelegationError } from "../../../base/delegation-error.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { renderColumns } from "../../render/columns.ts";
import { excerpt, visibleText } from "../../../base/visible-text.ts";
import { fieldUses, originText, programText, wireAgent } from "./describe-agent.ts";
import { readAgents, type KnownAgent } from "./read-agents.ts";

const SHOWN_LINES = 8;

export async function showAgent(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const name = invocation.argument("name");
  const { agents } = await readAgents(context);
  const agent = findAgent(agents, name);
  const hidden = agents.filter((one) => one.name === name && one.shadowedBy !== undefined);
  return {
    exitCode: exitCode.completed,
    json: {
      ...wireAgent(agent),
      instructions: agent.definition?.instructions ?? null,
      hides: hidden.map(({ file }) => file),
    },
    text: render(agent, hidden),
  };
}

export function findAgent(agents: readonly KnownAgent[], name: string): KnownAgent {
  const found = agents.find((one) => one.name === name && one.shadowedBy === undefined);
  if (found !== undefined) return found;
  const names = [...new Set(agents.map((one) => one.name))].join(", ");
  throw new DelegationError({
    code: "AGENT_NOT_FOUND",
    message: `There is no agent "${excerpt(name)}".`,
    recommendation: `Describe it in .ambit/agents/<name>.md, or name one of: ${excerpt(names, 300)}.`,
  });
}

function render(agent: KnownAgent, hidden: readonly KnownAgent[]): string {
  const { name, definition, problem, notes } = agent;
  const next = agent.program?.next ?? undefined;
  const facts = [
    ["agent", agent.isDefault ? `${name} (default)` : name],
    ["from", originText(agent)],
    ...(problem === undefined ? [] : [["problem", problem]]),
    ...(definition === undefined ? [] : definitionRows(agent, definition)),
    ...hidden.map(({ file }) => ["hides", file]),
    ...notes.map((note) => ["note", note]),
    ...(next === undefined ? [] : [["next", next]]),
  ];
  const uses = fieldUses(agent).map(({ field, honoured, why }) => [
    `  ${field}`,
    honoured ? "honoured" : "ignored",
    why,
  ]);
  const lines = (definition?.instructions ?? "").split("\n").filter((line) => line !== "");
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `  ${excerpt(line, 100)}`);
  const more = lines.length - shown.length;
  return [
    renderColumns(facts.map((row) => row.map(visibleText))),
    ...(uses.length === 0 ? [] : ["fields", renderColumns(uses.map((row) => row.map(visibleText)))]),
    ...(shown.length === 0 ? [] : ["is told", ...shown]),
    ...(more > 0 ? [`  … and ${more} lines more`] : []),
  ].join("\n");
}

function definitionRows(
  agent: KnownAgent,
  definition: NonNullable<KnownAgent["definition"]>,
): readonly (readonly string[])[] {
  const { description, adapter, model, isolation, command } = definition;
  return [
    ["for", excerpt(description, 120) || "-"],
    ["adapter", agent.adapter === undefined ? `${adapter} (there is none of this name)` : adapter],
    ["model", model ?? "the program's own default"],
    ["program", programText(agent)],
    ...(command.length === 0 ? [] : [["command", excerpt(command.join(" "), 120)]]),
    ...(isolation === undefined ? [] : [["works in", isolation]]),
  ];
}
