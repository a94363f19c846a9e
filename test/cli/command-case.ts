import { exitCode, type ExitCode } from "../../src/contract/exit-code.ts";

/** One command line and how it must end; run in this process and, by the end-to-end tests, through the binary. */
export interface CommandCase {
  readonly args: readonly string[];
  /** The piped input; without it, nothing is piped in. */
  readonly input?: string;
  /** Files of the directory it runs in. */
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly exit: ExitCode;
  /** Fields the JSON document must have. */
  readonly json: Readonly<Record<string, unknown>>;
  /** What the text on stdout must contain; on stderr when it is an error. */
  readonly text: string;
}

/** A refusal by the frame: an error document, nothing else on stdout. */
export interface ErrorCase extends Omit<CommandCase, "json"> {
  readonly code: string;
}

export function usageCase(args: readonly string[], text: string): ErrorCase {
  return { args, exit: exitCode.usage, code: "USAGE", text };
}
