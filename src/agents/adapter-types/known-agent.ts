import type { AgentEvent } from "./agent-adapter.ts";
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
  readonly stream?: EventStream;
}

/** The events that a program prints as a plain command, one on each line: its calls, its messages and its usage. */
export interface EventStream {
  /** Words of its command line without which it prints no events. */
  readonly words: readonly string[];
  /** Undefined for an object that is none of its events. */
  readonly readEvent: (fields: Readonly<Record<string, unknown>>) => readonly AgentEvent[] | undefined;
}

export interface ShippedDefinition {
  readonly title: string;
  readonly adapter: "acp" | "command";
  readonly command: readonly string[];
}
