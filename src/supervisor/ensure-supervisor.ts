import { spawn } from "node:child_process";
import { closeSync, fstatSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { findMainRoot } from "../project/find-project.ts";
import { supervisorErrors } from "../errors/supervisor.ts";
import type { DelegationError } from "../base/delegation-error.ts";
import {
  createClient,
  describeSilence,
  type Introduction,
  openConnection,
  type SupervisorClient,
} from "./client.ts";
import { findOwner } from "./project-owner.ts";
import { prepareState } from "./state/prepare-state.ts";
import { type SupervisorFiles, supervisorFiles } from "./supervisor-files.ts";
import { openLog, readFailure } from "./supervisor-log.ts";

export interface EnsureOptions extends Omit<Introduction, "checkout" | "environment"> {
  /** The current checkout: stories start from it. */
  readonly projectRoot: string;
  /** Starts a supervisor for the project whose root is appended. */
  readonly program: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long one start may take. */
  readonly maxStartMs?: number;
}

/** A start takes half a second; a machine that does thirty other things at once needs much longer. */
const MAX_START_MS = 60_000;
/** How long a supervisor may take to leave: its workers have time to end. */
export const MAX_LEAVING_MS = 60_000;
const RETRY_MS = 20;

/**
 * Connects to the project's supervisor, or starts one: detached, so that it outlives the terminal. If it is leaving and
 * refuses a call, the next supervisor is started and gets that call.
 */
export async function ensureSupervisor(options: EnsureOptions): Promise<SupervisorClient> {
  const checkout = options.projectRoot;
  const ours = { ...options, checkout, environment: dropWorkerVariables(options.environment) };
  const connect = (): ReturnType<typeof connectOrStart> => connectOrStart(ours);
  return createClient(await connect(), connect);
}

async function connectOrStart(options: EnsureOptions) {
  const files = supervisorFiles(options.projectRoot);
  const giveUpAt = performance.now() + MAX_LEAVING_MS;
  let started: Started | undefined;
  for (;;) {
    const connection = await openConnection(files, options);
    if (connection !== undefined) return connection;
    if (started?.state() === "failed")
      throw readFailure(files.log, started.logFrom) ?? supervisorErrors.notStarted(files.log);
    // Ours exits at once while another process owns the project. If that one is leaving, too, ours is started again.
    if (started === undefined || started.state() === "left") {
      prepareState(options.projectRoot);
      started = startDetached(options, files.log);
    }
    if (performance.now() > Math.min(giveUpAt, started.startBy))
      throw describeDelay(files, options.maxStartMs ?? MAX_START_MS);
    await delay(RETRY_MS);
  }
}

/** A supervisor that runs but accepts no connection keeps any other from starting. */
function describeDelay(files: SupervisorFiles, maxStartMs: number): DelegationError {
  return findOwner(files.owner) === undefined
    ? supervisorErrors.stillStarting(files.log, maxStartMs)
    : describeSilence(files);
}

interface Started {
  readonly state: () => "starting" | "left" | "failed";
  /** The time by which it should be listening. */
  readonly startBy: number;
  /** The size of the log before the start. */
  readonly logFrom: number;
}

function startDetached(options: EnsureOptions, logFile: string): Started {
  const log = openLog(logFile);
  const logFrom = fstatSync(log).size;
  const [program = process.execPath, ...rest] = options.program;
  const root = findMainRoot(options.projectRoot);
  const child = spawn(program, [...rest, root], {
    cwd: root,
    detached: true,
    env: options.environment,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  let state: ReturnType<Started["state"]> = "starting";
  child.once("error", () => (state = "failed"));
  child.once("exit", (code) => (state = code === 0 || code === ALREADY_RUNNING ? "left" : "failed"));
  return { state: () => state, startBy: performance.now() + (options.maxStartMs ?? MAX_START_MS), logFrom };
}

/** With the variables of a worker's attempt, the supervisor would count as part of that attempt and be killed with it. */
function dropWorkerVariables(environment: EnsureOptions["environment"]): Record<string, string | undefined> {
  const ours = Object.entries(environment).filter(
    ([name]) => keptVariables.has(name) || !name.startsWith("AMBIT_"),
  );
  return Object.fromEntries(ours);
}

const keptVariables: ReadonlySet<string> = new Set([
  "AMBIT_IDLE_MS",
  "AMBIT_DEBUG",
  "AMBIT_CLUSTER_URL",
  "AMBIT_CLUSTER_URL_FILE",
  "AMBIT_CLUSTER_REDIS_URL",
]);

/** The exit status of a supervisor when another one already owns the project. */
export const ALREADY_RUNNING = 75;
