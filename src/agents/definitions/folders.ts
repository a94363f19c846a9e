import type { DefinitionSource } from "./agent-definition.ts";

export interface DefinitionFolder {
  readonly source: Exclude<DefinitionSource, "built-in">;
  /** Relative to the project. */
  readonly path: string;
  readonly extension: ".md" | ".toml";
  /** How its agents are driven where they do not say otherwise; our own must say. */
  readonly adapter: string | undefined;
  /** Where the file's name is the agent's, whatever a field says. */
  readonly isNamedByFile: boolean;
  /** Levels of folders below it that its tool looks into. */
  readonly levels: number;
}

/** In the order in which they are asked: our own first. */
export const definitionFolders: readonly DefinitionFolder[] = [
  {
    source: "ambit",
    path: ".ambit/agents",
    extension: ".md",
    adapter: undefined,
    isNamedByFile: true,
    levels: 0,
  },
  {
    source: "claude",
    path: ".claude/agents",
    extension: ".md",
    adapter: "claude",
    isNamedByFile: false,
    levels: 3,
  },
  {
    source: "opencode",
    path: ".opencode/agents",
    extension: ".md",
    adapter: "opencode",
    isNamedByFile: true,
    levels: 3,
  },
  {
    source: "opencode",
    path: ".opencode/agent",
    extension: ".md",
    adapter: "opencode",
    isNamedByFile: true,
    levels: 3,
  },
  {
    source: "gemini",
    path: ".gemini/agents",
    extension: ".md",
    adapter: "gemini",
    isNamedByFile: false,
    levels: 0,
  },
  {
    source: "codex",
    path: ".codex/agents",
    extension: ".toml",
    adapter: "codex",
    isNamedByFile: false,
    levels: 1,
  },
];
