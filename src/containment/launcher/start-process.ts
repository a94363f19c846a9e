import { spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { containmentErrors } from "../../errors/containment.ts";
import { type CommandLineRequest, buildCommandLine, userBusNames, usesLauncher } from "./command-line.ts";
import { FactsFile } from "./facts-file.ts";
import { launcherPool } from "./launcher-pool.ts";
import { describeChild, type RunProcess } from "./run-process.ts";

export interface StartRequest extends CommandLineRequest {
  readonly stdin: number | "pipe";
  readonly stdout: number;
  readonly stderr: number;
  /** The folder in which the facts file may be created; the file has no name afterwards. */
  readonly directory: string;
  /** Whether a launcher may be used that waits, and another one started for the next run. */
  readonly mayWait?: boolean;
}

export interface StartedProcess {
  readonly run: RunProcess;
  /** Null if there is no launcher. */
  readonly facts: FactsFile | null;
  /** The open input of the agent; null if its input is a file. */
  readonly input: Writable | null;
  /** The launcher opens our files by their numbers, so they must stay open until the run is over. */
  readonly needsOurFiles: boolean;
}

/** The only call of `spawn` for agents and checks. Resolves once there is a process. */
export async function startProcess(request: StartRequest): Promise<StartedProcess> {
  const facts = usesLauncher(request.tier, request.tools) ? new FactsFile(request.directory) : null;
  try {
    return await startWithFacts(request, facts);
  } catch (error) {
    facts?.close();
    throw error;
  }
}

async function startWithFacts(request: StartRequest, facts: FactsFile | null): Promise<StartedProcess> {
  const [program = "", ...rest] = buildCommandLine(request);
  const early = facts === null ? undefined : startWaitingLauncher(request, rest, facts);
  if (early !== undefined) return { run: early, facts, input: null, needsOurFiles: true };
  const { stdin, stdout, stderr } = request;
  const child = spawn(program, rest, {
    cwd: request.cwd,
    env: environmentFor(request),
    stdio: [stdin, stdout, stderr, ...(facts === null ? [] : [facts.descriptor])],
    detached: true,
  });
  if (child.pid !== undefined)
    return { run: describeChild(child, child.pid), facts, input: child.stdin, needsOurFiles: false };
  const cause = await new Promise<unknown>((resolve) => child.once("error", resolve));
  throw containmentErrors.notStarted(request.argv[0] ?? program, program, cause);
}

/** Undefined if no launcher can take the orders, or if the agent's input must stay open: launchers get files alone. */
function startWaitingLauncher(
  request: StartRequest,
  words: readonly string[],
  facts: FactsFile,
): RunProcess | undefined {
  const { stdin, stdout, stderr, cwd, environment, cgroup, tier, tools } = request;
  const { perl, systemCalls } = tools;
  if (request.mayWait !== true || stdin === "pipe") return undefined;
  if (cgroup.kind === "scope" || perl === null || systemCalls === null) return undefined;
  const orders = {
    words: words.slice(words.indexOf("--") + 1),
    cwd,
    environment,
    files: { stdin, stdout, stderr, facts: facts.descriptor },
    mayWaitAgain: tier === "pid-namespace",
  };
  return launcherPool.startRun(orders, { perl, systemCalls });
}

function environmentFor(request: StartRequest): Readonly<Record<string, string>> {
  if (request.cgroup.kind !== "scope") return request.environment;
  const environment: Record<string, string> = { ...request.environment };
  for (const name of userBusNames) {
    const value = process.env[name];
    if (value !== undefined) environment[name] ??= value;
  }
  return environment;
}
