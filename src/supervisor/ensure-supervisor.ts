import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { DelegationError } from "../base/delegation-error.ts";
import { connectSupervisor, type SupervisorClient } from "./client.ts";
import { prepareState } from "./prepare-state.ts";
import { readFailure } from "./start-failure.ts";
import { supervisorFiles } from "./supervisor-files.ts";

export interface EnsureOptions {
  readonly projectRoot: string;
  readonly version: string;
  /** Starts a supervisor for the project whose root is appended. */
  readonly program: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const START_DEADLINE_MS = 15_000;
const LOOK_MS = 20;

/** The running supervisor of a project, or a new one: detached, so that it outlives the terminal. */
export async function ensureSupervisor(options: EnsureOptions): Promise<SupervisorClient> {
  const files = supervisorFiles(options.projectRoot);
  const running = await connectSupervisor(files.socket, options.version);
  if (running !== undefined) return running;
  prepareState(options.projectRoot);
  const child = startDetached(options, files.log);
  const deadline = performance.now() + START_DEADLINE_MS;
  while (performance.now() < deadline) {
    const client = await connectSupervisor(files.socket, options.version);
    if (client !== undefined) return client;
    // Another command may have started one at the same moment; then ours ends and theirs answers soon.
    if (child.hasFailed()) throw readFailure(files.log, child.logFrom) ?? notStarted(files.log);
    await delay(LOOK_MS);
  }
  throw notStarted(files.log);
}

interface Started {
  readonly hasFailed: () => boolean;
  /** How long the log was before. */
  readonly logFrom: number;
}

function startDetached(options: EnsureOptions, logFile: string): Started {
  const log = openSync(logFile, "a", 0o600);
  const logFrom = fstatSync(log).size;
  const [program = process.execPath, ...rest] = options.program;
  const child = spawn(program, [...rest, options.projectRoot], {
    cwd: options.projectRoot,
    detached: true,
    env: outsideAnyRun(options.environment),
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  let failed = false;
  child.once("error", () => (failed = true));
  child.once("exit", (code) => (failed = code !== 0 && code !== ALREADY_RUNNING));
  return { hasFailed: () => failed, logFrom };
}

/** Started from inside a worker it would carry that run's mark, and be ended with it. */
function outsideAnyRun(environment: EnsureOptions["environment"]): Record<string, string | undefined> {
  const ours = Object.entries(environment).filter(
    ([name]) => forSupervisor.has(name) || !name.startsWith("AMBIT_"),
  );
  return Object.fromEntries(ours);
}

const forSupervisor: ReadonlySet<string> = new Set(["AMBIT_IDLE_MS", "AMBIT_DEBUG"]);

/** Its exit status when another supervisor already owns the project. */
export const ALREADY_RUNNING = 75;

function notStarted(logFile: string): DelegationError {
  return new DelegationError({
    code: "SUPERVISOR_GONE",
    message: "The supervisor did not start, and could not say why.",
    recommendation: `Read ${logFile}, then run the command again.`,
    recoverable: true,
  });
}
