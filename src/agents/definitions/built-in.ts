import type { AgentDefinition } from "./agent-definition.ts";

const programs: Readonly<Record<string, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  opencode: "OpenCode",
};

/** Agents that need no file: each is its program, as it is set up on this machine. */
export const builtInAgents: readonly string[] = Object.keys(programs);

export function builtInDefinition(name: string): AgentDefinition | undefined {
  const program = Object.entries(programs).find(([known]) => known === name)?.[1];
  if (program === undefined) return undefined;
  return {
    name,
    description: `${program}, as it is set up on this machine`,
    adapter: name,
    command: [],
    model: undefined,
    isolation: undefined,
    instructions: "",
    file: "",
    source: "built-in",
  };
}
