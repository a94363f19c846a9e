import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { renderColumns } from "../../render/columns.ts";
import { visibleText } from "../../../base/visible-text.ts";
import { originText, programText, wireAgent } from "./describe-agent.ts";
import { readAgents, type KnownAgent } from "./read-agents.ts";

export async function listAgents(context: CommandContext): Promise<CommandOutcome> {
  const { agents, defaultAgent } = await readAgents(context);
  const rows = [["agent", "adapter", "model", "program", "from"], ...agents.map(rowOf)];
  return {
    exitCode: exitCode.completed,
    json: { default: defaultAgent, agents: agents.map(wireAgent) },
    text: renderColumns(rows.map((row) => row.map(visibleText))),
  };
}

function rowOf(agent: KnownAgent): readonly string[] {
  const { name, isDefault, definition, problem } = agent;
  const shown = isDefault ? `${name} (default)` : name;
  if (definition === undefined) return [shown, "-", "-", `not usable: ${problem ?? ""}`, originText(agent)];
  const program = agent.adapter === undefined ? "no such adapter" : programText(agent);
  return [shown, definition.adapter, definition.model ?? "-", program, originText(agent)];
}
