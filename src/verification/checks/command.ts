import { basename, isAbsolute, join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { pathExists } from "../../base/files.ts";
import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { isErrorCode } from "../../contract/error-code.ts";
import type {
  AnnouncedRun,
  ContainedProcess,
  ContainmentTier,
  Cover,
  ExitFacts,
  LaunchSpec,
  OwnNetwork,
  ProcessRecord,
  ShownProject,
} from "../../containment/contained-process.ts";
import { launchProcess } from "../../containment/launch.ts";
import type { CheckFinding } from "../criteria/check-result.ts";
import { describeEnd, type EndFacts } from "./describe-end.ts";
import { readCheckOutput, readNewestLine, showControls } from "./output-tail.ts";

/** The limits of one command; reaching any of them ends its whole process tree. */
export interface CheckLimits {
  readonly timeoutMs: number;
  /** Time between the request to end and the kill of the tree. */
  readonly graceMs: number;
  readonly outputMaxBytes: number;
  readonly memoryMaxBytes: number | null;
  readonly maxProcesses: number | null;
  readonly cpuMaxSeconds: number | null;
  /** A command in which nothing runs for this long is stopped; absent, only its deadline counts. */
  readonly stallMs?: number;
}

export interface PlacedCommand {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly tier?: ContainmentTier;
  readonly cover?: Cover;
  readonly shown?: ShownProject;
  readonly ownNetwork?: OwnNetwork;
}

export interface CommandRun {
  readonly command: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly place: (command: PlacedCommand) => Promise<PlacedCommand>;
  readonly logDirectory: string;
  readonly runId: string;
  readonly limits: CheckLimits;
  /** Time left for all checks. */
  readonly leftMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onRun: (run: AnnouncedRun | ProcessRecord) => void | Promise<void>;
  /** Called now and then while it runs. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  readonly clock: Clock;
}

export interface CheckProgress {
  readonly elapsedMs: number;
  /** The newest line of its output. */
  readonly newestLine: string;
}

const PROGRESS_MS = 10_000;

/** Writes both streams to one file in order. The command is passed as an argument, never spliced into this script. */
const SCRIPT = ["/bin/sh", "-c", 'exec 2>&1; exec "$2" -c "$1"', "sh"] as const;
const DEFAULT_SHELL = "/bin/sh";
/** Shells that read a command as people write it for any of them; others, such as fish, have their own language. */
const commonShells: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash"]);

/** The user's own shell, so that a command means in a check what it means in the user's terminal. */
function findShell({ SHELL: wanted = "" }: Readonly<Record<string, string>>): string {
  const isUsable = isAbsolute(wanted) && commonShells.has(basename(wanted)) && pathExists(wanted);
  return isUsable ? wanted : DEFAULT_SHELL;
}

/** Runs one command in containment. Never throws: a command that cannot run is unverified, with the reason. */
export async function checkCommand(run: CommandRun): Promise<CheckFinding> {
  try {
    return await runContained(run);
  } catch (error) {
    const known = error instanceof DelegationError && isErrorCode(error.code) ? error.code : undefined;
    const evidence = `${quoteCommand(run.command)} could not be run: ${showOnOneLine(readErrorMessage(error))}`;
    return { verdict: "unverified", code: known ?? "CHECK_NOT_RUN", evidence };
  }
}

async function runContained(run: CommandRun): Promise<CheckFinding> {
  const { folder, limits, leftMs, runId } = run;
  const { environment } = run;
  const placed = await run.place({ argv: [...SCRIPT, run.command, findShell(environment)], environment });
  await run.onRun({ runId, uid: process.getuid?.() ?? 0, identity: null, cgroup: null });
  const timeoutMs = Math.min(limits.timeoutMs, leftMs);
  let exceeded: EndFacts["exceeded"];
  const spec: LaunchSpec = {
    ...placed,
    cwd: folder,
    logDirectory: run.logDirectory,
    runId,
    // A check may stay silent, but something in it has to run now and then.
    limits: {
      ...limits,
      timeoutMs,
      softLimit: 1,
      idleWarnMs: timeoutMs,
      idleStopMs: limits.stallMs ?? timeoutMs,
      idleEndsBy: "activity",
    },
    onEvent: (event) => {
      if (event.kind === "limit-exceeded") exceeded = event;
    },
  };
  const contained = await launchProcess(spec, { clock: run.clock });
  const exit = await waitForExit(contained, run);
  return describeCommandRun(run, { exit, limits, exceeded, isCutShort: leftMs < limits.timeoutMs });
}

async function waitForExit(contained: ContainedProcess, run: CommandRun): Promise<ExitFacts> {
  const stop = (): void => void contained.stop("the checks were stopped");
  run.signal?.addEventListener("abort", stop, { once: true });
  try {
    if (run.signal?.aborted === true) stop();
    await run.onRun(contained.record);
    return await watchProgress(contained.exited, run);
  } catch (error) {
    await contained.stop("its record could not be written", { graceMs: 0 });
    throw error;
  } finally {
    run.signal?.removeEventListener("abort", stop);
  }
}

async function watchProgress(exited: Promise<ExitFacts>, run: CommandRun): Promise<ExitFacts> {
  const { onProgress, clock, logDirectory } = run;
  if (onProgress === undefined) return exited;
  const startedMs = clock.monotonicMs();
  const tell = (): void => {
    const newestLine = readNewestLine(join(logDirectory, "stdout"));
    onProgress({ elapsedMs: clock.monotonicMs() - startedMs, newestLine });
  };
  const timer = setInterval(tell, PROGRESS_MS);
  try {
    return await exited;
  } finally {
    clearInterval(timer);
  }
}

function describeCommandRun({ command, logDirectory }: CommandRun, facts: EndFacts): CheckFinding {
  const { verdict, code, message } = describeEnd(facts);
  const log = join(logDirectory, "stdout");
  const { excerpt: output, failingTests } = readCheckOutput(log, verdict === "failed");
  const { exit } = facts;
  const lines = [
    `${quoteCommand(command)} ${message}`,
    `Log: ${log}`,
    ...(output === "" ? [] : ["Last output:", output]),
  ];
  const proof = {
    kind: "command",
    command,
    exit_code: exit.code,
    signal: exit.signal,
    duration_ms: exit.durationMs,
    output,
    log,
    ...(failingTests.length === 0 ? {} : { failing: [...failingTests] }),
  } as const;
  return { verdict, code, evidence: lines.join("\n"), proof };
}

const MAX_SHOWN_LENGTH = 200;

/** One short line without terminal control characters. */
function quoteCommand(command: string): string {
  const shown = showOnOneLine(command.trim());
  return shown.length <= MAX_SHOWN_LENGTH ? `\`${shown}\`` : `\`${shown.slice(0, MAX_SHOWN_LENGTH)}…\``;
}

function showOnOneLine(text: string): string {
  return showControls(text).replaceAll("\n", "\\n");
}
