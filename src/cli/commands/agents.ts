import type { Command } from "commander";
import type { AgentDocument, ShownAgent } from "../../app/agents.ts";
import { quoteExcerpt, visibleText } from "../../base/visible-text.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderColumns } from "../render/columns.ts";
import { verdictOutcome } from "../outcome/verdict-outcome.ts";

export function register(command: Command, act: Act): void {
  command.description("Show which agents can work here: definitions of this project and of other tools.");
  command
    .command("list")
    .description("List the agents: adapter, file, and whether the program is installed.")
    .action(act(listAgents))
    .addHelpText("after", "\nExample:\n  ambit agents list --json");
  command
    .command("show")
    .description("Show one agent: which fields of its file take effect, and why.")
    .argument("<name>", "its name; ambit agents list shows all")
    .action(act(showAgent))
    .addHelpText("after", "\nExample:\n  ambit agents show reviewer");
  command
    .command("check")
    .description("Check the definitions. Exit 0 if all can be used.")
    .argument("[name]", "only this one, and whether its program is installed")
    .action(act(checkAgents))
    .addHelpText("after", "\nExample:\n  ambit agents check");
  command.addHelpText("after", "\nExample:\n  ambit agents check reviewer");
}

async function listAgents(context: CommandContext): Promise<CommandOutcome> {
  const { listAgentsUseCase } = await import("../../app/agents.ts");
  const json = await listAgentsUseCase.run(context, {});
  const rows = [["agent", "adapter", "model", "program", "from"], ...json.agents.map(renderRow)];
  return {
    exitCode: exitCode.completed,
    json,
    text: renderColumns(rows.map((row) => row.map(visibleText))),
  };
}

function renderRow(agent: AgentDocument): readonly string[] {
  const { adapter, problem, model, program } = agent;
  if (adapter === null)
    return [renderName(agent), "-", "-", `not usable: ${problem ?? ""}`, renderOrigin(agent)];
  const shown = agent.has_adapter ? (program?.text ?? "-") : "no such adapter";
  return [renderName(agent), adapter, model ?? "-", shown, renderOrigin(agent)];
}

function renderName({ name, default: isDefault }: AgentDocument): string {
  return isDefault ? `${name} (default)` : name;
}

/** Where it comes from, in a word a person can open. */
function renderOrigin({ file, source, shadowed_by: shadowedBy }: AgentDocument): string {
  if (shadowedBy !== null) return `${file ?? ""} (hidden by ${shadowedBy})`;
  return source === "built-in" ? "built in" : (file ?? "");
}

async function checkAgents(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { checkAgentsUseCase } = await import("../../app/agents.ts");
  return verdictOutcome(
    await checkAgentsUseCase.run(context, { name: invocation.argument("name") }),
    context,
  );
}

async function showAgent(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { showAgentUseCase } = await import("../../app/agents.ts");
  const json = await showAgentUseCase.run(context, { name: invocation.argument("name") });
  return { exitCode: exitCode.completed, json, text: renderAgent(json) };
}

const SHOWN_LINES = 8;

function renderAgent(agent: ShownAgent): string {
  const next = agent.program?.next ?? null;
  const facts = [
    ["agent", renderName(agent)],
    ["from", renderOrigin(agent)],
    ...(agent.problem === null ? [] : [["problem", agent.problem]]),
    ...renderDefinition(agent),
    ...agent.hides.map((file) => ["hides", file]),
    ...agent.notes.map((note) => ["note", note]),
    ...(next === null ? [] : [["next", next]]),
  ];
  const uses = agent.fields.map(({ field, honoured, why }) => [
    `  ${field}`,
    honoured ? "honoured" : "ignored",
    why,
  ]);
  const lines = (agent.instructions ?? "").split("\n").filter((line) => line !== "");
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `  ${quoteExcerpt(line, 100)}`);
  const more = lines.length - shown.length;
  return [
    renderColumns(facts.map((row) => row.map(visibleText))),
    ...(uses.length === 0 ? [] : ["fields", renderColumns(uses.map((row) => row.map(visibleText)))]),
    ...(shown.length === 0 ? [] : ["instructions", ...shown]),
    ...(more > 0 ? [`  … and ${more} more lines`] : []),
  ].join("\n");
}

function renderDefinition(agent: ShownAgent): readonly (readonly string[])[] {
  const { description, adapter, model, isolation, command, program } = agent;
  if (adapter === null) return [];
  return [
    ["for", quoteExcerpt(description ?? "", 120) || "-"],
    ["adapter", agent.has_adapter ? adapter : `${adapter} (no such adapter)`],
    ["model", model ?? "the program's own default"],
    ["program", program?.text ?? "-"],
    ...(command.length === 0 ? [] : [["command", quoteExcerpt(command.join(" "), 120)]]),
    ...(isolation === null ? [] : [["works in", isolation]]),
  ];
}
