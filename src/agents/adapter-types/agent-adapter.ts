import type { ErrorCode } from "../../contract/error-code.ts";
import type { TurnKind } from "../../contract/turn-kind.ts";
import type { Usage } from "../../contract/usage.ts";

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
  /** Can be held to a list of its tools. */
  readonly tools?: boolean;
}

/** How our MCP server is started for one worker; its token says who the worker is. */
export interface McpLaunch {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** One run of an agent, told in words every adapter understands. */
export interface RunSpec {
  readonly agent: string;
  readonly prompt: string;
  readonly model?: string;
  /** The only tools of its program it may use; all that a worker may have where absent. */
  readonly tools?: readonly string[];
  /** Program and arguments of the agent's definition; for an adapter of one CLI, what starts it instead of its name. */
  readonly command?: readonly string[];
  /** Continue this session of the agent itself instead of beginning one. */
  readonly resumeSession?: string;
  readonly attempt: number;
  /** Why this attempt is made. */
  readonly turn: TurnKind;
  readonly returnFile: string;
  readonly handoverFile: string;
  /** The delegation's own folder for settings, sessions and caches of the agent; it stays between attempts. */
  readonly agentHome: string;
  /** Where the user's programs keep theirs: logins are copied from there. */
  readonly userHome: string;
  /** The user's own environment: some keep their logins elsewhere, or choose a provider by it. Never passed on as it is. */
  readonly userEnvironment?: Readonly<Record<string, string | undefined>>;
  /** Folders besides its workspace and those of its return that it may write. */
  readonly writable?: readonly string[];
  /** It runs inside our sandbox, where a sandbox of its own cannot start. */
  readonly sandboxed?: boolean;
  /** Absent where the agent must do without. */
  readonly mcp?: McpLaunch;
  /** What is left of the budget; a limit of the CLI's own stands behind ours. */
  readonly remainingMicroUsd?: number;
}

export interface BuiltRun {
  readonly argv: readonly string[];
  /** Added to the allow-listed environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Typed into its input when it shall commit and report now; its input stays open for that. */
  readonly windDownInput?: string;
  /** Variables of the user's that it needs besides the usual ones: keys and addresses of its provider. */
  readonly pass?: readonly string[];
  /** Written below the agent's home before it starts, readable by nobody else. */
  readonly files?: readonly BuiltFile[];
  /** Copied below the agent's home where they exist and are not there yet: logins. */
  readonly copies?: readonly { readonly from: string; readonly to: string }[];
}

export interface BuiltFile {
  readonly path: string;
  readonly content: string;
  /** The user's own JSON settings, over which these are laid where a CLI knows no second file; see `layerSettings`. */
  readonly over?: string;
}

/** What a provider said was used. `microUsd` is null where the agent names no price. */
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
  | { readonly kind: "tool-called"; readonly name: string; readonly id?: string }
  | { readonly kind: "tool-ended"; readonly id: string; readonly ok: boolean }
  | { readonly kind: "denied"; readonly tool: string }
  /** Two reports with one id are of the same step, and the larger one counts. */
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
  /** Too many requests or a used-up quota: others who use the same account wait too. */
  readonly isRateLimit: boolean;
  readonly retryAfterMs?: number;
}

/** How a run ended, judged from events and exit together: exit codes alone are not verdicts. */
export interface RunEnd {
  readonly ok: boolean;
  readonly finalText: string;
  readonly reason: string;
  /** What went wrong, where the agent told; a missing or bad return is judged elsewhere. */
  readonly code?: ErrorCode;
  /** It ran out of context; another session may go on from its hand-over note. */
  readonly exhausted?: boolean;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The last line of its error output. */
  readonly lastError?: string;
}

/**
 * How one agent CLI is driven: three pure, total functions. Spawning, deadlines, caps and journalling are the
 * runtime's and the same for all.
 */
export interface AgentAdapter {
  readonly name: string;
  /** Whose account is used, so that a full one holds back all workers that use it. */
  readonly provider?: string;
  readonly capabilities: AdapterCapabilities;
  build(spec: RunSpec): BuiltRun;
  /** Never throws: a line it does not understand is `raw`. */
  parse(line: string): readonly AgentEvent[];
  settle(exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd;
}
