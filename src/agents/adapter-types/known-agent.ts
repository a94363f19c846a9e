import type { AcpProgram, ProgramProbe } from "./agent-program.ts";

/**
 * An agent CLI without an adapter of its own: the `acp` or the `command` adapter drives it. Each has a folder in
 * `known-agents/`, and `known-agents/known-agents.ts` lists them.
 */
export interface KnownAgent {
  readonly name: string;
  readonly probe?: ProgramProbe;
  readonly acp?: AcpProgram;
  /** How it works by its own name, without a definition of the project. */
  readonly definition?: ShippedDefinition;
}

export interface ShippedDefinition {
  readonly title: string;
  readonly adapter: "acp" | "command";
  readonly command: readonly string[];
}
