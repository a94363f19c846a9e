import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { DelegationError, readErrorMessage } from "./delegation-error.ts";
import { hasErrorCode } from "./files.ts";
import { watchProgress } from "./watch-progress.ts";

export interface CommandSpec {
  /** Program and arguments; they never go through a shell. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing of our own is added. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: Uint8Array | string;
  /** A descriptor that receives the output instead of us: for more than belongs into memory. */
  readonly stdoutFile?: number;
  readonly timeoutMs: number;
  /** Ends a program that makes no progress for this long, where the system can tell (`watchProgress`). */
  readonly stallMs?: number;
  /** Bytes kept of each stream; the rest is read and dropped, so that the program never blocks. */
  readonly maxOutputBytes?: number;
  /** Aborting kills the whole process group; the outcome then has `signal: "SIGKILL"`. */
  readonly abort?: AbortSignal;
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly timedOut: boolean;
  /** Ended because it made no progress. */
  readonly stalled: boolean;
  /** One of the streams was longer than `maxOutputBytes`. */
  readonly truncated: boolean;
}

const DEFAULT_MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** A process that the program left behind may hold its pipes open; the program's own output is there at once. */
const CLOSE_WAIT_MS = 1000;
/** `setTimeout` fires at once beyond this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs a short-lived helper such as git and captures its output. A non-zero exit, a timeout and an abort are values;
 * only a program that cannot be started throws (`TOOL_UNAVAILABLE`). Agents and checks never run through here.
 */
export async function runCommand(spec: CommandSpec): Promise<CommandOutcome> {
  if (spec.abort?.aborted === true) return outcomeBeforeStart();
  const child = startProgram(spec);
  const maxBytes = spec.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const stdout = captureStream(child.stdout, maxBytes);
  const stderr = captureStream(child.stderr, maxBytes);
  const kill = (): void => killGroup(child);
  let timedOut = false;
  let stalled = false;
  const stopWatching = watchProgress(child.pid, spec.stallMs, () => {
    stalled = true;
    kill();
  });
  const timer = setTimeout(
    () => {
      timedOut = true;
      kill();
    },
    Math.min(spec.timeoutMs, MAX_TIMER_MS),
  );
  spec.abort?.addEventListener("abort", kill, { once: true });
  try {
    writeInput(child, spec.stdin);
    const { exitCode, signal } = await waitForEnd(child, spec);
    const truncated = stdout.isTruncated() || stderr.isTruncated();
    const output = { stdout: stdout.bytes(), stderr: stderr.bytes(), truncated };
    return { exitCode, signal, ...output, timedOut, stalled };
  } finally {
    clearTimeout(timer);
    stopWatching();
    spec.abort?.removeEventListener("abort", kill);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function outcomeBeforeStart(): CommandOutcome {
  const empty = Buffer.alloc(0);
  return {
    exitCode: null,
    signal: "SIGKILL",
    stdout: empty,
    stderr: empty,
    timedOut: false,
    stalled: false,
    truncated: false,
  };
}

function startProgram(spec: CommandSpec): ChildProcess {
  const [program, ...rest] = spec.argv;
  if (program === undefined || program === "") throw notStarted(spec, new Error("the command is empty"));
  try {
    // A process group of its own, so that a timeout also kills what the program started.
    const { cwd, environment: env, stdoutFile = "pipe" } = spec;
    return spawn(program, rest, { cwd, env, stdio: ["pipe", stdoutFile, "pipe"], detached: true });
  } catch (error) {
    throw notStarted(spec, error);
  }
}

function writeInput(child: ChildProcess, stdin: Uint8Array | string | undefined): void {
  // A program may exit before it has read everything: its exit code says more than the broken pipe.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(stdin ?? "");
}

interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

function waitForEnd(child: ChildProcess, spec: CommandSpec): Promise<Ending> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      // A failed kill is also an "error" event; only a program that never ran has no pid.
      if (child.pid === undefined) reject(notStarted(spec, error));
    });
    child.once("exit", (exitCode, signal) => {
      // We may have been busy ourselves for this long: read what is in the pipes before giving up.
      const giveUp = (): NodeJS.Immediate => setImmediate(() => resolve({ exitCode, signal }));
      const timer = setTimeout(() => setImmediate(giveUp), CLOSE_WAIT_MS);
      child.once("close", () => {
        clearTimeout(timer);
        resolve({ exitCode, signal });
      });
    });
  });
}

interface Capture {
  readonly bytes: () => Buffer;
  readonly isTruncated: () => boolean;
}

function captureStream(stream: NodeJS.ReadableStream | null, maxBytes: number): Capture {
  const chunks: Buffer[] = [];
  let kept = 0;
  let truncated = false;
  stream?.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, maxBytes - kept);
    if (part.length < chunk.length) truncated = true;
    if (part.length > 0) chunks.push(part);
    kept += part.length;
  });
  return { bytes: () => Buffer.concat(chunks), isTruncated: () => truncated };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is already empty; the exit event is on its way.
    child.kill("SIGKILL");
  }
}

function notStarted(spec: CommandSpec, cause: unknown): DelegationError {
  const program = spec.argv[0] ?? "";
  const missingFolder = !existsSync(spec.cwd);
  return new DelegationError({
    code: "TOOL_UNAVAILABLE",
    message: missingFolder
      ? `Cannot run "${program}": the folder ${spec.cwd} is not there`
      : `Cannot run "${program}": ${readErrorMessage(cause)}`,
    recommendation: missingFolder ? "Check that the folder still exists." : adviseStart(program, cause),
    cause,
  });
}

function adviseStart(program: string, cause: unknown): string {
  if (hasErrorCode(cause, "EMFILE")) return "Allow more open files: ulimit -n 1024.";
  if (hasErrorCode(cause, "EAGAIN")) return "Allow more processes (ulimit -u), or end some.";
  return `Install "${program}" or correct PATH.`;
}
