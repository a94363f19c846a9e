import type { AcpProgram, ProgramProbe } from "./agent-program.ts";

/**
 * An agent CLI without an adapter of its own: the `acp` or the `command` adapter drives it. Each has a folder in
 * `known-agents/`, and `known-agents/known-agents.ts` lists them.
 */
export interface KnownAgent {
  readonly name: string;
  readonly probe?: ProgramProbe;
  readonly acp?: AcpProgram;
}
