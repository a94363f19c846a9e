import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { supervisorErrors } from "../errors/supervisor.ts";
import { connectSupervisor, type SupervisorClient } from "./client.ts";
import { prepareState } from "./state/prepare-state.ts";
import { readFailure } from "./state/start-failure.ts";
import { supervisorFiles } from "./supervisor-files.ts";

export interface EnsureOptions {
  readonly projectRoot: string;
  readonly version: string;
  /** Starts a supervisor for the project whose root is appended. */
  readonly program: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const START_DEADLINE_MS = 15_000;
const RETRY_MS = 20;

/** Connects to the project's supervisor, or starts one: detached, so that it outlives the terminal. */
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
    // Another command may have started one at the same moment; ours then exits and theirs answers soon.
    if (child.hasFailed())
      throw readFailure(files.log, child.logFrom) ?? supervisorErrors.notStarted(files.log);
    await delay(RETRY_MS);
  }
  throw supervisorErrors.notStarted(files.log);
}

interface Started {
  readonly hasFailed: () => boolean;
  /** The size of the log before the start. */
  readonly logFrom: number;
}

function startDetached(options: EnsureOptions, logFile: string): Started {
  const log = openSync(logFile, "a", 0o600);
  const logFrom = fstatSync(log).size;
  const [program = process.execPath, ...rest] = options.program;
  const child = spawn(program, [...rest, options.projectRoot], {
    cwd: options.projectRoot,
    detached: true,
    env: dropWorkerVariables(options.environment),
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  let failed = false;
  child.once("error", () => (failed = true));
  child.once("exit", (code) => (failed = code !== 0 && code !== ALREADY_RUNNING));
  return { hasFailed: () => failed, logFrom };
}

/** With the variables of a worker's attempt it would count as part of that attempt and be killed with it. */
function dropWorkerVariables(environment: EnsureOptions["environment"]): Record<string, string | undefined> {
  const ours = Object.entries(environment).filter(
    ([name]) => keptVariables.has(name) || !name.startsWith("AMBIT_"),
  );
  return Object.fromEntries(ours);
}

const keptVariables: ReadonlySet<string> = new Set(["AMBIT_IDLE_MS", "AMBIT_DEBUG"]);

/** Its exit status when another supervisor already owns the project. */
export const ALREADY_RUNNING = 75;
