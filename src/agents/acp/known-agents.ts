import { basename } from "node:path";
import type { BuiltRun, RunSpec } from "../adapter.ts";
import { buildGemini } from "../adapters/gemini/build.ts";
import { buildOpencode } from "../adapters/opencode/build.ts";
import { PROVIDER_NAMES } from "../stream-json/provider-names.ts";

/** What one agent needs besides the protocol, told in its own arguments, variables and files. */
interface KnownAgent {
  /** Its program, and its package for whoever starts it through a package runner. */
  readonly names: readonly string[];
  /** Each only where the command does not have it yet. */
  readonly arguments: readonly (readonly string[])[];
  readonly pass: readonly string[];
  /**
   * It reads the settings its own adapter writes: a home of its own, its delegation tools off, and our MCP server with
   * a deadline that fits. The protocol knows no such deadline, and some agents cut a call off after a minute.
   */
  readonly settings?: (spec: RunSpec) => BuiltRun;
  /** It ignores servers named in the session and takes a file with this argument instead. */
  readonly mcpFileArgument?: string;
}

const KNOWN: readonly KnownAgent[] = [
  {
    names: ["gemini", "gemini-cli"],
    // Without it a folder it has not seen before is not trusted, and our MCP server silently dropped.
    arguments: [["--skip-trust"]],
    pass: [],
    settings: buildGemini,
  },
  { names: ["opencode", "opencode-ai"], arguments: [], pass: [], settings: buildOpencode },
  {
    names: ["qwen", "qwen-code"],
    // With a tool to search for tools it hides our MCP server's behind it.
    arguments: [
      // Else it asks a model whether it may use a tool, which costs and takes time; so it asks us.
      ["--approval-mode", "default"],
      ["--exclude-tools", "agent", "tool_search", "ask_user_question"],
    ],
    pass: ["OPENAI_*", "QWEN_*", "DASHSCOPE_*", "BAILIAN_*", "MODELSCOPE_*", "OPENROUTER_*", "ANTHROPIC_*"],
  },
  {
    names: ["copilot"],
    arguments: [["--excluded-tools=task"], ["--no-auto-update"]],
    pass: ["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"],
    mcpFileArgument: "--additional-mcp-config",
  },
  { names: ["goose"], arguments: [], pass: [...PROVIDER_NAMES, "GOOSE_*"] },
  {
    names: ["claude-agent-acp", "claude-code-acp"],
    arguments: [],
    pass: ["ANTHROPIC_*", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_EXECUTABLE"],
  },
  { names: ["codex-acp"], arguments: [], pass: ["OPENAI_*", "CODEX_*"] },
];

/** Whose keys it needs nobody knows. */
const NOBODY: KnownAgent = { names: [], arguments: [], pass: PROVIDER_NAMES };

/** A package runner and its options come before the package. */
const FIRST_WORDS = 4;

export function knownAgent(command: readonly string[]): KnownAgent {
  const words = new Set(command.slice(0, FIRST_WORDS).map(nameOf));
  return KNOWN.find(({ names }) => names.some((name) => words.has(name))) ?? NOBODY;
}

/** The command with what this agent needs and the definition does not say. */
export function completeCommand(
  command: readonly string[],
  agent: KnownAgent,
  mcpFile: string | undefined,
): readonly string[] {
  const missing = agent.arguments.filter(([first = ""]) => !hasArgument(command, first));
  const argument = agent.mcpFileArgument;
  const needsFile = argument !== undefined && mcpFile !== undefined && !hasArgument(command, argument);
  return [...command, ...missing.flat(), ...(needsFile ? [argument, `@${mcpFile}`] : [])];
}

function hasArgument(command: readonly string[], argument: string): boolean {
  const name = argument.split("=", 1).join("");
  return command.some((word) => word === name || word.startsWith(`${name}=`));
}

/** `@google/gemini-cli@0.61.0` and `/usr/bin/gemini` by their plain names. */
function nameOf(word: string): string {
  const last = basename(word);
  const version = last.indexOf("@", 1);
  return version < 0 ? last : last.slice(0, version);
}
