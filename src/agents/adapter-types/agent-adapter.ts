import type { ErrorCode } from "../../contract/error-code.ts";
import type { TurnKind } from "../../contract/turn-kind.ts";
import type { Usage } from "../../contract/usage.ts";

/** An adapter's abilities. Without live usage the runtime limits time and turns instead. */
export interface AdapterCapabilities {
  readonly mcp: boolean;
  readonly resume: boolean;
  /** Reports usage while it runs, so a budget can stop it. */
  readonly liveUsage: boolean;
  /** Accepts "commit and report now" on its input. */
  readonly windDown: boolean;
  /** Can correct a bad return when told what is wrong; a plain program would only repeat all its work. */
  readonly repair: boolean;
  /** Accepts a list of the tools it may use. */
  readonly tools?: boolean;
  /** Names the dollars it has used, also for models without a known price. */
  readonly dollars?: boolean;
  /** The prefix that its program puts before the names of our tools; absent if that differs from agent to agent. */
  readonly toolPrefix?: string;
}

/** The command that starts our MCP server for one worker; its token identifies the worker. */
export interface McpLaunch {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** One run of an agent, described independently of the program. */
export interface RunSpec {
  readonly agent: string;
  readonly prompt: string;
  readonly model?: string;
  /** The only tools it may use; if absent, all that a worker may have. */
  readonly tools?: readonly string[];
  /** Program and arguments of the definition; an adapter of one CLI starts them instead of the CLI's name. */
  readonly command?: readonly string[];
  /** Continue this session of the agent instead of starting a new one. */
  readonly resumeSession?: string;
  readonly attempt: number;
  /** The reason for this attempt. */
  readonly turn: TurnKind;
  readonly returnFile: string;
  readonly handoverFile: string;
  /** The delegation's folder for the agent's settings, sessions and caches; kept between attempts. */
  readonly agentHome: string;
  /** The user's home folder, from which logins are copied. */
  readonly userHome: string;
  /** The user's environment: it can move logins or choose a provider. It is never passed on as a whole. */
  readonly userEnvironment?: Readonly<Record<string, string | undefined>>;
  /** Folders it may write in addition to its workspace and the folder of its return. */
  readonly writable?: readonly string[];
  /** It runs inside our sandbox, where the agent's own sandbox cannot start. */
  readonly sandboxed?: boolean;
  /** The person trusts what the project names. Otherwise the agent must not obey the project's own settings. */
  readonly isProjectTrusted?: boolean;
  /** Absent if the agent gets no MCP server. */
  readonly mcp?: McpLaunch;
  /** The rest of the budget, for a CLI that can enforce a limit itself. */
  readonly remainingMicroUsd?: number;
}

export interface BuiltRun {
  readonly argv: readonly string[];
  /** Added to the allow-listed environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Written to its input to make it commit and report now; its input stays open for that. */
  readonly windDownInput?: string;
  /** User variables it needs in addition to the usual ones: its provider's keys and addresses. */
  readonly pass?: readonly string[];
  /** Written below the agent's home before it starts, readable only by the user. */
  readonly files?: readonly BuiltFile[];
  /** Programs that it starts itself, by the files that they are. */
  readonly programs?: readonly string[];
  /** Logins, copied below the agent's home if they exist and were not copied before. */
  readonly copies?: readonly { readonly from: string; readonly to: string }[];
}

export interface BuiltFile {
  readonly path: string;
  readonly content: string;
  /** The user's JSON settings to merge with, for a CLI that reads only one file; see `layerSettings`. */
  readonly over?: string;
}

/** Usage as the provider reports it. `microUsd` is null if the agent reports no price. */
export interface ReportedUsage extends Omit<Usage, "microUsd" | "source"> {
  readonly microUsd: number | null;
  readonly source?: Usage["source"];
}

/**
 * `step`: this much more. `run`: this much since the process started. `session`: this much since the session began,
 * earlier attempts included.
 */
export type UsageScope = "step" | "run" | "session";

export type AgentEvent =
  | { readonly kind: "session-known"; readonly id: string }
  | { readonly kind: "text"; readonly text: string }
  /** `input` is a short hash, so that equal calls are recognised; absent if the stream does not show the input. */
  | { readonly kind: "tool-called"; readonly name: string; readonly id?: string; readonly input?: string }
  | { readonly kind: "tool-ended"; readonly id: string; readonly ok: boolean }
  | { readonly kind: "denied"; readonly tool: string }
  /** Two reports with the same id are about the same step, and the larger one counts. */
  | {
      readonly kind: "usage";
      readonly scope: UsageScope;
      readonly id?: string;
      readonly usage: ReportedUsage;
    }
  | { readonly kind: "provider-failed"; readonly failure: ProviderFailure }
  | { readonly kind: "final"; readonly ok: boolean; readonly text: string; readonly reason: string }
  | { readonly kind: "raw"; readonly line: string };

export interface ProviderFailure {
  readonly status: number | null;
  readonly message: string;
  /** Too many requests or an exhausted quota: all workers on the account wait. */
  readonly isRateLimit: boolean;
  readonly retryAfterMs?: number;
}

/** How a run ended, judged from events and exit code together: an exit code alone proves nothing. */
export interface RunEnd {
  readonly ok: boolean;
  readonly finalText: string;
  readonly reason: string;
  /** The failure, if the agent reported one; a missing or bad return is judged elsewhere. */
  readonly code?: ErrorCode;
  /** It ran out of context; another session can continue from its hand-over note. */
  readonly exhausted?: boolean;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The newest line of its error output that says something. */
  readonly lastError?: string;
}

/**
 * How one agent CLI is driven: three pure, total functions. The runtime spawns processes, enforces deadlines and limits,
 * and writes the journal, in the same way for all.
 */
export interface AgentAdapter {
  readonly name: string;
  /** The provider whose account is used, so that an exhausted account pauses all its workers. */
  readonly provider?: string;
  readonly capabilities: AdapterCapabilities;
  build(spec: RunSpec): BuiltRun;
  /** Never throws: a line it does not understand is `raw`. */
  parse(line: string): readonly AgentEvent[];
  settle(exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd;
}
