import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";

/** The built binary, as users start it. */
export const cli: string = resolve("dist/cli/main.cjs");

/** Trusts the agents and commands of a test's project. `test/attacks/untrusted-project.test.ts` tests projects without trust. */
export const trustEverything = { AMBIT_TRUST: "1" } as const;

export interface CliCall {
  readonly directory: string;
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** The time after which a command that hangs is ended. */
  readonly timeoutMs?: number;
  /** Another build than the usual one. */
  readonly program?: string;
}

export interface CliResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runCli(args: readonly string[], call: CliCall): Promise<CliResult> {
  return runProcess([process.execPath, call.program ?? cli, ...args], call);
}

/** A line for `sh`, in which `$ambit` stands for the binary. */
export function runShell(line: string, call: CliCall): Promise<CliResult> {
  return runProcess(["bash", "-c", line], {
    ...call,
    environment: { ambit: `${process.execPath} ${cli}`, ...call.environment },
  });
}

/** The command gets nothing of the tests' environment, so that an agent or CI around the tests changes nothing. */
async function runProcess(words: readonly string[], call: CliCall): Promise<CliResult> {
  const [file = "", ...args] = words;
  const child = spawn(file, args, {
    cwd: call.directory,
    env: { PATH: process.env["PATH"], HOME: call.home, ...trustEverything, ...call.environment },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: call.timeoutMs ?? 100_000,
  });
  // A command that does not read its input closes it early, which is no failure of the test.
  child.stdin.on("error", () => undefined);
  child.stdin.end(call.input ?? "");
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { status: child.exitCode, stdout, stderr };
}
