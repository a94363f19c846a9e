import { createAdapterFinder } from "../../src/agents/find-adapter.ts";
import { findWorkerAgents } from "../../src/agents/own-agents.ts";
import { findAcpProgram } from "../../src/agents/adapters/acp/complete-command.ts";
import { findAgentProgram } from "../../src/agents/adapters/agent-programs.ts";
import { printsEvents, startsKnownAgent } from "../../src/agents/adapters/other-programs.ts";

interface Driven {
  readonly title: string;
  readonly adapter: string;
  readonly command: readonly string[];
}

const program = (title: string, adapter: string): Driven => ({ title, adapter, command: [] });
const acp = (title: string, ...command: string[]): Driven => ({ title, adapter: "acp", command });

const agents: readonly Driven[] = [
  program("Claude Code", "claude"),
  program("Codex", "codex"),
  program("Gemini CLI", "gemini"),
  program("OpenCode", "opencode"),
  { title: "pi", adapter: "command", command: ["pi", "-p", "--mode", "json"] },
  acp("Gemini CLI", "gemini", "--acp"),
  acp("OpenCode", "opencode", "acp"),
  acp("Qwen Code", "qwen", "--acp"),
  acp("GitHub Copilot CLI", "copilot", "--acp"),
  acp("Claude Code's bridge", "claude-agent-acp"),
  acp("Codex's bridge", "codex-acp"),
  acp("pi's bridge", "pi-acp"),
  acp("goose", "goose", "acp"),
  acp("Kimi Code", "kimi", "acp"),
  acp("Grok CLI", "grok", "agent", "stdio"),
  acp("any other ACP agent", "…"),
  { title: "any other program", adapter: "command", command: ["…"] },
];

/** The features that work with each agent, taken from the tables that the code itself uses. */
export function buildKnownAgentsTable(): string {
  const rows = agents.map((one) => [
    one.title,
    one.command.length === 0 ? `\`${one.adapter}\`` : `\`${one.adapter}\`, \`[${one.command.join(", ")}]\``,
    describeBudget(one),
    describeLoop(one),
    describeOwnAgents(one),
    describeResume(one),
    describeMcp(one),
  ]);
  const head = [
    "agent",
    "adapter, command",
    "budget",
    "loop stopped",
    "its own agents",
    "session resumed",
    "MCP",
  ];
  const [first, ...others] = [head, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [first, `|${"---|".repeat(head.length)}`, ...others].join("\n");
}

const findAdapter = createAdapterFinder([]);

function describeBudget({ adapter, command }: Driven): string {
  const { capabilities } = findAdapter(adapter);
  const facts = adapter === "acp" ? findAcpProgram(command) : findAgentProgram(adapter);
  const usage = adapter === "acp" ? findAcpProgram(command).usage : undefined;
  const isLive = adapter === "acp" ? usage === "live" : capabilities.liveUsage && !startsKnownAgent(command);
  if (printsEvents(command)) return "by its reports";
  if (isLive) return adapter === "command" ? "if it prints its usage" : "by its reports";
  return facts?.findProviderAddress === undefined ? "refused" : "by the proxy";
}

function describeLoop({ adapter, command }: Driven): string {
  return adapter === "command" && !printsEvents(command) ? "by time" : "yes";
}

function describeOwnAgents({ adapter, command }: Driven): string {
  if (adapter === "command") return startsKnownAgent(command) ? "none" : "not known";
  const own = findWorkerAgents(adapter, command);
  if (own === undefined) return "off";
  if (own.tools.length === 0) return "none";
  return own.isSwitchedOff ? "off" : "stopped";
}

function describeResume({ adapter }: Driven): string {
  if (adapter === "acp") return "if it can load one";
  return findAdapter(adapter).capabilities.resume ? "yes" : "no";
}

function describeMcp({ adapter, command }: Driven): string {
  if (!findAdapter(adapter).capabilities.mcp) return "no";
  return adapter === "acp" && findAcpProgram(command).hasMcp === false ? "no" : "yes";
}
