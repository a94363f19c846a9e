import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { AgentAdapter, AgentEvent, BuiltRun, RunEnd, RunSpec } from "../../../agents/adapter.ts";
import { buildEnvironment } from "../../../containment/build-environment.ts";
import type { ContainmentEvent, ContainmentLimits, ExitFacts } from "../../../containment/contained-process.ts";
import type { Limits } from "../../../contract/limits.ts";
import type { AttemptCost } from "../../../contract/usage.ts";
import type { Delegation, Story } from "../../../journal/store.ts";
import { agentHomeOf, furnishAgentHome } from "./agent-home.ts";
import { findProgram } from "./find-program.ts";
import { AttemptWatch, type Hold, type StopReason } from "./attempt-watch.ts";
import { writeProcessRecord } from "../../delegation/attempt-files.ts";
import { returnMetadata, scratchpadOf } from "../prepare/build-prompt.ts";
import type { LiveAttempts } from "../../live/live-attempts.ts";
import { Metering } from "./metering.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import { traceEnvironment } from "../../../telemetry/trace-environment.ts";
import type { PreparedAttempt } from "../prepare/prepare-attempt.ts";

export interface ReturnedAttempt extends PreparedAttempt {
  readonly exit: Pick<ExitFacts, "reason" | "errorCode">;
  readonly end: RunEnd;
  /** Why the runtime ended it, when it did not end by itself. */
  readonly stopped: StopReason | undefined;
  /** Set when it ended because its provider's account was full. */
  readonly hold?: Hold;
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
  let lastError = "";
  const story = await storyOf(tools, delegation);
  const { rates, health } = live;
  const token = live.enter(delegation);
  const watch = new AttemptWatch(tools, delegation, { rates, health, maxTurns: story.limits.maxTurns });
  const metering = new Metering(tools, { delegation, watch, rates });
  try {
    const built = await metering.redirect(startOf(tools, adapter, { ...attempt, token }));
    const environment = workerEnvironment(tools, { ...attempt, token, story }, built);
    const placed = await place.placeCommand(
      { argv: built.argv, environment },
      { network: delegation.work?.network ?? false, readable: readableFor(tools, delegation) },
    );
    const contained = await tools.processes.launch({
      ...placed,
      cwd: place.path,
      stdin: built.stdin,
      keepStdinOpen: built.windDownInput !== undefined,
      logDirectory: files.directory,
      runId: delegation.executionId,
      limits: limitsOf(story.limits, delegation.timeoutSeconds),
      onEvent: (event) => {
        noticeTime(event, watch, built);
        lastError = errorLine(event) ?? lastError;
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
    await recordEnd(tools, delegation, { ...exit, cost: watch.cost });
    const end = adapter.settle({ code: exit.code, signal: exit.signal, lastError }, events);
    return { ...attempt, exit, end, stopped, ...(end.code === "RATE_LIMITED" ? { hold: watch.hold() } : {}) };
  } finally {
    await metering.close();
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
  { delegation, files, place, prompt, token, home }: PreparedAttempt & Token & { readonly home: string },
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
    userEnvironment: tools.environment,
    writable: [scratchpadOf(tools.stateDirectory, delegation.story)],
    sandboxed: place.outbox !== undefined,
    ...(work?.model === undefined ? {} : { model: work.model }),
    ...(work?.tools === undefined ? {} : { tools: work.tools }),
    ...(continues ? { resumeSession: agentSession } : {}),
    ...(capabilities.mcp ? { mcp: { command, arguments: [...rest, "mcp"], environment } } : {}),
    ...(money.limit === null
      ? {}
      : { remainingMicroUsd: Math.max(0, money.limit - money.lent - money.spent) }),
  };
}

function readEvent(adapter: AgentAdapter, event: ContainmentEvent): readonly AgentEvent[] {
  return event.kind === "line-read" && event.stream === "stdout" ? adapter.parse(event.text) : [];
}

/** Its time runs out, or it has gone quiet. */
function noticeTime(event: ContainmentEvent, watch: AttemptWatch, { windDownInput }: BuiltRun): void {
  if (event.kind === "wind-down-asked") watch.askToFinish(windDownInput);
  if (event.kind === "idle-warned") watch.hasGoneSilent(event.idleMs);
}

/** What a program says there is no event, but often the only reason it gives. */
function errorLine(event: ContainmentEvent): string | undefined {
  if (event.kind !== "line-read" || event.stream !== "stderr") return undefined;
  return event.text.trim() === "" ? undefined : event.text.trim();
}

async function recordEnd(
  tools: RunTools,
  delegation: Delegation,
  end: ExitFacts & { readonly cost: AttemptCost | undefined },
): Promise<void> {
  const { id, story, attempt } = delegation;
  const { reason, code, errorCode, durationMs, cost } = end;
  await tools.store.record({
    type: "attempt-ended",
    story,
    delegation: id,
    attempt,
    data: { reason, exitCode: code, code: errorCode, durationMs, ...(cost === undefined ? {} : { cost }) },
  });
}

async function storyOf(tools: RunTools, delegation: Delegation): Promise<Story> {
  const story = await tools.store.story(delegation.story);
  if (story === undefined) throw new TypeError(`no story ${delegation.story}`);
  return story;
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
    ...programFolders(tools),
  ];
}

/** Where our own program and what runs it are installed: its MCP server and its commands are for workers too. */
function programFolders({ program }: RunTools): readonly string[] {
  const folders = program.filter(isAbsolute).map((file) => dirname(file));
  return [...new Set(folders)].filter((folder) => folder !== "/" && existsSync(folder));
}

/** Identity for records, never for rights: depth and budget live in the store, whatever a worker sets here. */
function workerEnvironment(
  tools: RunTools,
  { delegation, place, token, story }: PreparedAttempt & Token & { readonly story: Story },
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
      ...traceEnvironment(tools.environment, story, delegation),
      AMBIT_SOCKET: tools.socket,
      AMBIT_TOKEN: token,
      AMBIT_SCRATCHPAD: scratchpadOf(tools.stateDirectory, delegation.story),
      DELEGATION_DEPTH: String(delegation.depth),
      PARENT_STORY_ID: delegation.parent ?? delegation.story,
      PARENT_EXECUTION_ID: delegation.executionId,
      AMBIT_RETURN_METADATA: JSON.stringify(returnMetadata(delegation)),
    },
  });
}
