import type { Usage } from "../contract/usage.ts";
import type { TurnKind } from "../contract/turn-kind.ts";

/** What an adapter can do; the runtime bounds by time and turns what it cannot bound by use. */
export interface AdapterCapabilities {
  readonly mcp: boolean;
  readonly resume: boolean;
  /** Reports use while it runs, so that a budget can stop it. */
  readonly liveUsage: boolean;
  /** Takes "commit and report now" on its input. */
  readonly windDown: boolean;
  /** Told what was wrong with its return it may give a better one; a plain program would only do everything again. */
  readonly repair: boolean;
}

/** One run of an agent, told in words every adapter understands. */
export interface RunSpec {
  readonly agent: string;
  readonly prompt: string;
  readonly model?: string;
  /** Program and arguments of the agent's definition, for adapters that take any. */
  readonly command?: readonly string[];
  /** Continue this session of the agent itself instead of beginning one. */
  readonly resumeSession?: string;
  readonly attempt: number;
  /** Why this attempt is made. */
  readonly turn: TurnKind;
  readonly returnFile: string;
  readonly handoverFile: string;
}

export interface BuiltRun {
  readonly argv: readonly string[];
  /** Added to the allow-listed environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
}

export type AgentEvent =
  | { readonly kind: "session-known"; readonly id: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool-called"; readonly name: string }
  | { readonly kind: "usage"; readonly usage: Usage }
  | { readonly kind: "final"; readonly text: string }
  | { readonly kind: "raw"; readonly line: string };

/** How a run ended, judged from events and exit together: exit codes alone are not verdicts. */
export interface RunEnd {
  readonly ok: boolean;
  readonly finalText: string;
  readonly reason: string;
  /** It ran out of context; another session may go on from its hand-over note. */
  readonly exhausted?: boolean;
}

/**
 * How one agent CLI is driven: three pure, total functions. Spawning, deadlines, caps and journalling are the
 * runtime's and the same for all.
 */
export interface AgentAdapter {
  readonly name: string;
  readonly capabilities: AdapterCapabilities;
  build(spec: RunSpec): BuiltRun;
  /** Never throws: a line it does not understand is `raw`. */
  parse(line: string): readonly AgentEvent[];
  settle(
    exit: { readonly code: number | null; readonly signal: string | null },
    events: readonly AgentEvent[],
  ): RunEnd;
}
