import type { AcpProgram, ProgramProbe } from "../adapter-types/agent-program.ts";
import { PROVIDER_NAMES } from "../stream-json/provider-names.ts";
import { agentPrograms, findAgentProgram } from "./agent-programs.ts";
import { readCommandNames } from "./command-names.ts";

/** An agent CLI without an adapter of its own: the `acp` or the `command` adapter drives it. */
export interface OtherProgram {
  readonly name: string;
  readonly probe?: ProgramProbe;
  readonly acp?: AcpProgram;
}

export const otherPrograms: readonly OtherProgram[] = [
  {
    name: "qwen",
    probe: { package: "@qwen-code/qwen-code", tested: ["0.24."], logIn: "qwen" },
    acp: {
      names: ["qwen", "qwen-code"],
      arguments: [
        // Otherwise it asks a model whether it may use a tool, which costs time and money. This makes it ask us.
        ["--approval-mode", "default"],
        // Its tool search would hide the tools of our MCP server.
        ["--exclude-tools", "agent", "tool_search", "ask_user_question"],
      ],
      pass: ["OPENAI_*", "QWEN_*", "DASHSCOPE_*", "BAILIAN_*", "MODELSCOPE_*", "OPENROUTER_*", "ANTHROPIC_*"],
    },
  },
  {
    name: "copilot",
    probe: { package: "@github/copilot", tested: ["1.0."], logIn: "copilot login" },
    acp: {
      names: ["copilot"],
      arguments: [["--excluded-tools=task"], ["--no-auto-update"]],
      pass: ["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"],
      mcpFileArgument: "--additional-mcp-config",
    },
  },
  {
    name: "pi",
    probe: { package: "@earendil-works/pi-coding-agent@0.87.1", tested: ["0.87."], logIn: "pi" },
  },
  { name: "goose", acp: { names: ["goose"], arguments: [], pass: [...PROVIDER_NAMES, "GOOSE_*"] } },
  { name: "aider" },
  { name: "cursor-agent" },
  { name: "amp" },
];

/** How to probe any program we know, with an adapter of its own or without. */
export function findProgramProbe(name: string): ProgramProbe | undefined {
  return findAgentProgram(name)?.probe ?? otherPrograms.find((program) => program.name === name)?.probe;
}

/** Whether a command starts an agent CLI that we know by its name. */
export function startsKnownAgent(command: readonly string[]): boolean {
  const names = readCommandNames(command);
  const known = [...agentPrograms.map(({ adapter }) => adapter), ...otherPrograms];
  return known.some(({ name }) => names.has(name));
}
