import { join } from "node:path";
import type { AgentEvent, RunEnd } from "../../agents/adapter.ts";
import type { Usage } from "../../contract/usage.ts";
import type { ContainedProcess, ContainmentEvent, ExitFacts } from "../../containment/contained-process.ts";
import { buildEnvironment } from "../../containment/build-environment.ts";
import { launch } from "../../containment/launch.ts";
import { writeShims } from "../../containment/write-shims.ts";
import { writeProcessRecord } from "../attempt-files.ts";
import type { RunTools } from "../run-tools.ts";
import type { PreparedRun } from "./4-prepare.ts";

export interface ReturnedRun extends PreparedRun {
  readonly exit: ExitFacts;
  readonly end: RunEnd;
  /** Why the runtime ended it, when it did not end by itself. */
  readonly stopped: "budget" | "cancelled" | undefined;
}

const HEARTBEAT_MS = 2000;
const LEASE_MS = 60_000;

/** Runs the agent in containment, books what it uses while it runs, and ends it when a limit or a person says so. */
export async function invokeAgent(tools: RunTools, run: PreparedRun): Promise<ReturnedRun> {
  const events: AgentEvent[] = [];
  const watch = new AttemptWatch(tools, run);
  const built = run.driver.build({
    agent: run.agent,
    prompt: run.prompt,
    command: run.command,
    attempt: run.delegation.attempt,
    returnFile: run.files.returnFile,
  });
  const placed = await run.place.placeCommand(
    { argv: built.argv, environment: workerEnvironment(tools, run, built.environment) },
    { network: run.network ?? false, readable: run.readable ?? [] },
  );
  const contained = await launch({
    ...placed,
    cwd: run.place.path,
    stdin: built.stdin,
    logDirectory: run.files.directory,
    runId: run.delegation.executionId,
    limits: containmentLimits(run),
    onEvent: (event) => {
      for (const told of readEvent(run, event)) {
        events.push(told);
        watch.see(told);
      }
    },
  });
  writeProcessRecord(run.files, contained.record);
  const stopped = await watch.untilExit(contained);
  const exit = await contained.exited;
  return { ...run, exit, end: run.driver.settle({ code: exit.code, signal: exit.signal }, events), stopped };
}

/** Follows one attempt: heartbeats carry a cancellation in, usage reports carry the budget. */
class AttemptWatch {
  readonly #tools: RunTools;
  readonly #run: PreparedRun;
  #process: ContainedProcess | undefined;
  #stopped: "budget" | "cancelled" | undefined;
  #booked: Promise<void> = Promise.resolve();

  constructor(tools: RunTools, run: PreparedRun) {
    this.#tools = tools;
    this.#run = run;
  }

  see(event: AgentEvent): void {
    const { delegation } = this.#run;
    if (event.kind === "text")
      this.#tools.watch({ kind: "output", delegation: delegation.id, text: event.text });
    if (event.kind !== "usage") return;
    this.#booked = this.#book(this.#booked, event.usage);
  }

  /** One after the other, in the order of the reports. */
  async #book(earlier: Promise<void>, usage: Usage): Promise<void> {
    await earlier;
    const { id, attempt } = this.#run.delegation;
    const result = await this.#tools.store.spend(id, attempt, usage);
    if (result.kind === "ok" && result.pressure === "soft") this.#process?.windDown();
    if (result.kind === "ok" && result.pressure === "hard") this.#stop("budget");
  }

  async untilExit(contained: ContainedProcess): Promise<"budget" | "cancelled" | undefined> {
    this.#process = contained;
    const timer = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    try {
      await contained.exited;
      await this.#booked;
      return this.#stopped;
    } finally {
      clearInterval(timer);
    }
  }

  async #beat(): Promise<void> {
    const { id, attempt } = this.#run.delegation;
    const answer = await this.#tools.store.heartbeat(id, attempt, LEASE_MS);
    if (answer !== "ok") this.#stop("cancelled");
  }

  #stop(reason: "budget" | "cancelled"): void {
    this.#stopped ??= reason;
    void this.#process?.stop(reason);
  }
}

function readEvent(run: PreparedRun, event: ContainmentEvent): readonly AgentEvent[] {
  return event.kind === "line-read" && event.stream === "stdout" ? run.driver.parse(event.text) : [];
}

function containmentLimits(run: PreparedRun) {
  const { limits } = run;
  return {
    timeoutMs: limits.timeoutSeconds * 1000,
    softLimit: limits.softLimit,
    graceMs: limits.graceSeconds * 1000,
    idleWarnMs: limits.idleWarnSeconds * 1000,
    idleStopMs: limits.idleStopSeconds * 1000,
    outputMaxBytes: limits.outputMaxBytes,
    memoryMaxBytes: limits.memoryMaxBytes,
    maxProcesses: limits.maxProcesses,
    cpuMaxSeconds: limits.cpuMaxSeconds,
  };
}

/** Identity for records, never for rights: depth and budget live in the store, whatever a worker sets here. */
function workerEnvironment(tools: RunTools, run: PreparedRun, own: Readonly<Record<string, string>>) {
  const shims = writeShims(join(tools.workspaces.stateDirectory, "shims"));
  const base = { ...tools.environment, PATH: `${shims}:${tools.environment["PATH"] ?? "/usr/bin:/bin"}` };
  const { delegation, place } = run;
  return buildEnvironment({
    base,
    set: {
      ...place.environment,
      ...own,
      DELEGATION_DEPTH: String(delegation.depth),
      PARENT_STORY_ID: delegation.parent ?? delegation.story,
      PARENT_EXECUTION_ID: delegation.executionId,
      AMBIT_RETURN_METADATA: JSON.stringify({
        session_id: delegation.sessionId,
        agent_type: run.agent,
        delegation_depth: delegation.depth,
        delegation_path: delegation.path,
      }),
    },
  });
}
