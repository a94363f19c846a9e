import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { isErrorCode } from "../../contract/error-code.ts";
import type {
  AnnouncedRun,
  ContainedProcess,
  ContainmentTier,
  Cover,
  ExitFacts,
  LaunchSpec,
  ProcessRecord,
  ShownProject,
} from "../../containment/contained-process.ts";
import { launchProcess } from "../../containment/launch.ts";
import type { CheckFinding } from "../criteria/check-result.ts";
import { describeEnd, type EndFacts } from "./describe-end.ts";
import { readOutputTail, showControls } from "./output-tail.ts";

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
  readonly clock: Clock;
}

/** Writes both streams to one file in order. The command is passed as an argument, never spliced into this script. */
const SHELL = ["/bin/sh", "-c", 'exec 2>&1; exec /bin/sh -c "$1"', "sh"] as const;

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
  const placed = await run.place({ argv: [...SHELL, run.command], environment: run.environment });
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
    return await contained.exited;
  } catch (error) {
    await contained.stop("its record could not be written", { graceMs: 0 });
    throw error;
  } finally {
    run.signal?.removeEventListener("abort", stop);
  }
}

function describeCommandRun({ command, logDirectory }: CommandRun, facts: EndFacts): CheckFinding {
  const { verdict, code, message } = describeEnd(facts);
  const log = join(logDirectory, "stdout");
  const output = readOutputTail(log);
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
