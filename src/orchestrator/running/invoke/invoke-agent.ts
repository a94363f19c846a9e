import type { AgentAdapter, AgentEvent, BuiltFile, BuiltRun, RunEnd } from "../../../agents/adapter.ts";
import { agentProgramNames } from "../../../agents/agent-programs.ts";
import { chooseErrorLine, findMissingInSandbox } from "../../../agents/error-line.ts";
import type {
  ContainmentEvent,
  ContainmentLimits,
  DiskLimit,
  ExitFacts,
} from "../../../containment/contained-process.ts";
import { measureFolders } from "../../../containment/measure-folders.ts";
import type { Limits } from "../../../contract/limits.ts";
import type { AttemptCost } from "../../../contract/usage.ts";
import type { Delegation, Story } from "../../../journal/store.ts";
import { writeProcessRecord } from "../../delegation/attempt-files.ts";
import { recordEvent } from "../../delegation/record.ts";
import { readAgentVariables } from "../../delegation/story-tools.ts";
import type { LiveAttempts, StopReason } from "../../live/live-attempts.ts";
import { orchestratorErrors } from "../../../errors/orchestrator.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { PlacedCommand } from "../../ports/work-place.ts";
import type { PreparedAttempt } from "../prepare/prepare-attempt.ts";
import { buildCommand, buildWorkerEnvironment, prepareCommand, readPlaceOptions } from "./agent-command.ts";
import { findAgentHome } from "./agent-home.ts";
import { AttemptWatch, type Hold } from "./attempt-watch.ts";
import { Metering } from "./metering.ts";
import { OutsideWatch } from "./outside-watch.ts";
import { readReach, tellRefused } from "./worker-reach.ts";

export interface ReturnedAttempt extends PreparedAttempt {
  readonly exit: Pick<ExitFacts, "reason" | "errorCode" | "code" | "signal">;
  readonly end: RunEnd;
  /** The reason why the runtime ended it; undefined if it ended by itself. */
  readonly stopped: StopReason | undefined;
  /** It ended by itself, in the middle of a loop. */
  readonly endedInLoop: boolean;
  /** Set if it ended because its provider's account was full. */
  readonly hold?: Hold;
}

/** Runs the agent in containment, books its usage while it runs, and stops it at a limit or on request. */
export async function invokeAgent(
  tools: RunTools,
  live: LiveAttempts,
  attempt: PreparedAttempt,
): Promise<ReturnedAttempt> {
  const { delegation, place, files } = attempt;
  const adapter = tools.findAdapter(delegation.work?.adapter ?? "command");
  const output: AgentOutput = { events: [], lastError: "" };
  const story = await readStory(tools, delegation);
  const { rates, health } = live;
  const token = live.registerAttempt(delegation);
  const watch = new AttemptWatch(tools, delegation, { rates, health, maxTurns: story.limits.maxTurns });
  const outside = new OutsideWatch(tools, live.outside, attempt);
  const metering = new Metering(tools, { attempt, watch, rates });
  let placed: PlacedCommand | undefined;
  try {
    const seen = await prepareRun(tools, { ...attempt, token, story }, { adapter, metering });
    const reach = await readReach(tools, attempt, { ...seen, proxyPort: metering.proxyPort });
    placed = await place.placeCommand(
      { argv: seen.argv, environment: seen.environment },
      { ...readPlaceOptions(tools, attempt), reach, programs: seen.programs ?? [] },
    );
    await outside.whenReady.then(() => requireLease(tools, delegation));
    const contained = await tools.processes.launch({
      ...placed,
      cwd: place.path,
      stdin: seen.stdin,
      keepStdinOpen: seen.windDownInput !== undefined,
      logDirectory: files.directory,
      runId: delegation.executionId,
      limits: await readLimits(story.limits, attempt),
      reported: agentProgramNames,
      onEvent: (event) => handleEvent(event, { adapter, built: seen, watch, output }),
    });
    writeProcessRecord(files, contained.record);
    live.registerProcess(delegation.id, (reason) => watch.stopAttempt(reason));
    const stopped = await watch.untilExit(contained);
    const exit = await contained.exited;
    // A call of its own may still import its work; no one waits for that answer any more.
    tools.git.endImports(delegation.id);
    await outside.lookAfter();
    await recordAttemptEnd(tools, delegation, { ...exit, cost: watch.cost });
    await tellRefused(tools, attempt, { ...placed, exit });
    return { ...attempt, exit, stopped, ...settleRun(adapter, exit, { output, watch }) };
  } finally {
    await outside.leave();
    placed?.forwarding?.close();
    await metering.closeProxy();
    await live.removeAttempt(delegation.id);
  }
}

/** The machine may have slept, or waited for the database, since the attempt began. */
function requireLease(tools: RunTools, { id }: Delegation): void {
  if (tools.isInDoubt?.(id) === true) throw orchestratorErrors.leaseOver(id);
}

interface StartedAttempt extends PreparedAttempt {
  readonly token: string;
  readonly story: Story;
}

/** Builds the run as the worker sees it, and writes its files into the agent's home. */
async function prepareRun(
  tools: RunTools,
  attempt: StartedAttempt,
  { adapter, metering }: { readonly adapter: AgentAdapter; readonly metering: Metering },
): Promise<BuiltRun> {
  const home = findAgentHome(tools.stateDirectory, attempt.delegation, attempt.place.outbox);
  const built = await metering.redirectRequests(buildCommand(tools, adapter, attempt), home);
  const variables = await readAgentVariables(tools, attempt.delegation.story);
  const environment = buildWorkerEnvironment(tools, { ...attempt, variables }, built);
  const seen = translateRun({ ...built, environment }, attempt.place.translate);
  prepareCommand(tools, attempt, { ...built, ...(seen.files === undefined ? {} : { files: seen.files }) });
  return seen;
}

function settleRun(
  adapter: AgentAdapter,
  { code, signal }: Pick<ExitFacts, "code" | "signal">,
  { output, watch }: Pick<Invocation, "output" | "watch">,
): Pick<ReturnedAttempt, "end" | "endedInLoop" | "hold"> {
  const { lastError } = output;
  const missing = findMissingInSandbox(code, lastError);
  if (missing !== undefined) return { end: describeMissing(missing), endedInLoop: false };
  const end = adapter.settle({ code, signal, lastError }, output.events);
  const hold = end.code === "RATE_LIMITED" ? { hold: watch.holdProvider() } : {};
  return { end, endedInLoop: watch.endedInLoop, ...hold };
}

function describeMissing(missing: string): RunEnd {
  return { ok: false, finalText: "", reason: missing, code: "TOOL_UNAVAILABLE" };
}

/** The worker finds our files in another place, so every path that it gets is translated. */
function translateRun(built: BuiltRun, translate: PreparedAttempt["place"]["translate"]): BuiltRun {
  if (translate === undefined) return built;
  const { argv, environment, stdin, windDownInput, files } = built;
  return {
    ...built,
    argv: argv.map(translate),
    environment: Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, translate(value)]),
    ),
    stdin: translate(stdin),
    ...(windDownInput === undefined ? {} : { windDownInput: translate(windDownInput) }),
    ...(files === undefined ? {} : { files: files.map((file) => translateFile(file, translate)) }),
  };
}

function translateFile(file: BuiltFile, translate: (text: string) => string): BuiltFile {
  return { ...file, content: translate(file.content) };
}

interface AgentOutput {
  readonly events: AgentEvent[];
  lastError: string;
}

interface Invocation {
  readonly adapter: AgentAdapter;
  readonly built: BuiltRun;
  readonly watch: AttemptWatch;
  readonly output: AgentOutput;
}

function handleEvent(event: ContainmentEvent, { adapter, built, watch, output }: Invocation): void {
  handleTimeEvent(event, watch, built);
  if (event.kind === "program-seen") watch.tellNestedAgent(event.command);
  // Standard error carries no agent events, but often the only reason for a failure.
  if (event.kind === "line-read" && event.stream === "stderr")
    output.lastError = chooseErrorLine(output.lastError, event.text);
  for (const agentEvent of readAgentEvents(adapter, event)) {
    output.events.push(agentEvent);
    watch.handleEvent(agentEvent);
  }
}

function readAgentEvents(adapter: AgentAdapter, event: ContainmentEvent): readonly AgentEvent[] {
  return event.kind === "line-read" && event.stream === "stdout" ? adapter.parse(event.text) : [];
}

/** Handles an agent whose time runs out, or that has been silent for long. */
function handleTimeEvent(event: ContainmentEvent, watch: AttemptWatch, { windDownInput }: BuiltRun): void {
  if (event.kind === "wind-down-asked") watch.askToFinish(windDownInput);
  if (event.kind === "idle-warned") watch.askSilentAgent(event.idleMs);
}

async function recordAttemptEnd(
  tools: RunTools,
  delegation: Delegation,
  end: ExitFacts & { readonly cost: AttemptCost | undefined },
): Promise<void> {
  const { reason, code: exitCode, errorCode: code, durationMs, cost } = end;
  const data = { reason, exitCode, code, durationMs, ...(cost === undefined ? {} : { cost }) };
  await recordEvent(tools, delegation, { type: "attempt-ended", data });
}

async function readStory(tools: RunTools, delegation: Delegation): Promise<Story> {
  const story = await tools.store.story(delegation.story);
  if (story === undefined) throw new TypeError(`no story ${delegation.story}`);
  return story;
}

/** The longest grace, as a share of the time limit. */
const MAX_GRACE_SHARE = 0.5;

async function readLimits(
  limits: Limits,
  { delegation: { timeoutSeconds }, place }: PreparedAttempt,
): Promise<ContainmentLimits> {
  return {
    timeoutMs: timeoutSeconds * 1000,
    softLimit: limits.softLimit,
    // A short limit has a short grace: a limit of eight seconds should not take forty.
    graceMs: Math.min(limits.graceSeconds, timeoutSeconds * MAX_GRACE_SHARE) * 1000,
    idleWarnMs: limits.idleWarnSeconds * 1000,
    idleStopMs: limits.idleStopSeconds * 1000,
    outputMaxBytes: limits.outputMaxBytes,
    memoryMaxBytes: limits.memoryMaxBytes,
    maxProcesses: limits.maxProcesses,
    cpuMaxSeconds: limits.cpuMaxSeconds,
    disk: await readDiskLimit(limits, place.writable),
  };
}

/** Existing files do not count: shared dependencies, and the work of earlier attempts. */
async function readDiskLimit(
  { diskMaxBytes: maxBytes }: Limits,
  folders: readonly string[],
): Promise<DiskLimit | undefined> {
  if (maxBytes === null) return undefined;
  return { maxBytes, folders, baseBytes: await measureFolders(folders) };
}
