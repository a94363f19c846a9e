import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentAdapter, AgentEvent, BuiltRun, RunEnd, RunSpec } from "../../agents/adapter.ts";
import { buildEnvironment } from "../../containment/build-environment.ts";
import type { ContainmentEvent, ContainmentLimits, ExitFacts } from "../../containment/contained-process.ts";
import type { Limits } from "../../contract/limits.ts";
import type { Delegation } from "../../journal/store.ts";
import { agentHomeOf, furnishAgentHome } from "../agent-home.ts";
import { findProgram } from "../find-program.ts";
import { AttemptWatch, type StopReason } from "../attempt-watch.ts";
import { writeProcessRecord } from "../attempt-files.ts";
import { returnMetadata, scratchpadOf } from "../build-prompt.ts";
import type { LiveAttempts } from "../live-attempts.ts";
import type { RunTools } from "../run-tools.ts";
import type { PreparedAttempt } from "./4-prepare.ts";

export interface ReturnedAttempt extends PreparedAttempt {
  readonly exit: Pick<ExitFacts, "reason" | "errorCode">;
  readonly end: RunEnd;
  /** Why the runtime ended it, when it did not end by itself. */
  readonly stopped: StopReason | undefined;
}

/** Runs the agent in containment, books what it uses while it runs, and ends it when a limit or a person says so. */
export async function invokeAgent(
  tools: RunTools,
  live: LiveAttempts,
  attempt: PreparedAttempt,
): Promise<ReturnedAttempt> {
  const { delegation, place, files } = attempt;
  const adapter = tools.findAdapter(delegation.work?.adapter ?? "command");
  const events: AgentEvent[] = [];
  const token = live.enter(delegation);
  const watch = new AttemptWatch(tools, delegation);
  try {
    const built = startOf(tools, adapter, { ...attempt, token });
    const environment = workerEnvironment(tools, attempt, {
      ...built,
      environment: { ...built.environment, AMBIT_TOKEN: token },
    });
    const placed = await place.placeCommand(
      { argv: built.argv, environment },
      { network: delegation.work?.network ?? false, readable: readableFor(tools, delegation) },
    );
    const contained = await tools.processes.launch({
      ...placed,
      cwd: place.path,
      stdin: built.stdin,
      logDirectory: files.directory,
      runId: delegation.executionId,
      limits: await containmentLimits(tools, delegation),
      onEvent: (event) => {
        for (const told of readEvent(adapter, event)) {
          events.push(told);
          watch.see(told);
        }
      },
    });
    writeProcessRecord(files, contained.record);
    live.started(delegation.id, (reason) => watch.stop(reason));
    const stopped = await watch.untilExit(contained);
    const exit = await contained.exited;
    await recordEnd(tools, delegation, exit);
    return {
      ...attempt,
      exit,
      end: adapter.settle({ code: exit.code, signal: exit.signal }, events),
      stopped,
    };
  } finally {
    await live.leave(delegation.id);
  }
}

/** The adapter's wishes, with the folder they need and the program by its full path. */
function startOf(tools: RunTools, adapter: AgentAdapter, start: PreparedAttempt & Token): BuiltRun {
  const home = agentHomeOf(tools.stateDirectory, start.delegation, start.place.outbox);
  const built = adapter.build(runSpec(tools, adapter, { ...start, home }));
  furnishAgentHome(home, built);
  return { ...built, argv: findProgram(built.argv, tools.environment) };
}

interface Token {
  readonly token: string;
}

function runSpec(
  tools: RunTools,
  { capabilities }: AgentAdapter,
  { delegation, files, prompt, token, home }: PreparedAttempt & Token & { readonly home: string },
): RunSpec {
  const { agent, attempt, agentSession, turn, work, money } = delegation;
  // Out of context, or on a path of its own: a new session is the point.
  const continues = agentSession !== null && turn.kind !== "handover";
  const [command = "ambit", ...rest] = tools.program;
  const environment = { AMBIT_SOCKET: tools.socket, AMBIT_TOKEN: token };
  return {
    agent: agent ?? delegation.id,
    prompt,
    command: work?.command ?? [],
    attempt,
    turn: turn.kind,
    returnFile: files.returnFile,
    handoverFile: files.handoverFile,
    agentHome: home,
    userHome: tools.environment["HOME"] ?? homedir(),
    ...(work?.model === undefined ? {} : { model: work.model }),
    ...(continues ? { resumeSession: agentSession } : {}),
    ...(capabilities.mcp ? { mcp: { command, arguments: [...rest, "mcp"], environment } } : {}),
    ...(money.limit === null ? {} : { remainingMicroUsd: Math.max(0, money.limit - money.spent) }),
  };
}

function readEvent(adapter: AgentAdapter, event: ContainmentEvent): readonly AgentEvent[] {
  return event.kind === "line-read" && event.stream === "stdout" ? adapter.parse(event.text) : [];
}

async function recordEnd(tools: RunTools, delegation: Delegation, exit: ExitFacts): Promise<void> {
  const { id, story, attempt } = delegation;
  const { reason, code, errorCode, durationMs } = exit;
  await tools.store.record({
    type: "attempt-ended",
    story,
    delegation: id,
    attempt,
    data: { reason, exitCode: code, code: errorCode, durationMs },
  });
}

async function containmentLimits(tools: RunTools, delegation: Delegation): Promise<ContainmentLimits> {
  const story = await tools.store.story(delegation.story);
  if (story === undefined) throw new TypeError(`no story ${delegation.story}`);
  return limitsOf(story.limits, delegation.timeoutSeconds);
}

function limitsOf(limits: Limits, timeoutSeconds: number): ContainmentLimits {
  return {
    timeoutMs: timeoutSeconds * 1000,
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

function shimFolder(tools: RunTools): string {
  return join(tools.stateDirectory, "shims");
}

/** Inside a sandbox a worker sees nothing of the project but its own place, so what it needs is named. */
function readableFor(tools: RunTools, { story, work }: Delegation): readonly string[] {
  return [
    ...(work?.readable ?? []),
    tools.socket,
    shimFolder(tools),
    scratchpadOf(tools.stateDirectory, story),
  ];
}

/** Identity for records, never for rights: depth and budget live in the store, whatever a worker sets here. */
function workerEnvironment(
  tools: RunTools,
  { delegation, place }: PreparedAttempt,
  { environment, pass = [] }: Pick<BuiltRun, "environment" | "pass">,
): Readonly<Record<string, string>> {
  const base = {
    ...tools.environment,
    PATH: `${shimFolder(tools)}:${tools.environment["PATH"] ?? "/usr/bin:/bin"}`,
  };
  return buildEnvironment({
    base,
    allow: pass,
    set: {
      ...place.environment,
      ...environment,
      AMBIT_SOCKET: tools.socket,
      AMBIT_SCRATCHPAD: scratchpadOf(tools.stateDirectory, delegation.story),
      DELEGATION_DEPTH: String(delegation.depth),
      PARENT_STORY_ID: delegation.parent ?? delegation.story,
      PARENT_EXECUTION_ID: delegation.executionId,
      AMBIT_RETURN_METADATA: JSON.stringify(returnMetadata(delegation)),
    },
  });
}
