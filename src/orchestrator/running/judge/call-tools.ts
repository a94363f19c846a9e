import { join } from "node:path";
import { McpConversation } from "../../../agents/mcp-conversation.ts";
import { countThings } from "../../../base/count-things.ts";
import { readErrorMessage } from "../../../base/delegation-error.ts";
import { safeText } from "../../../base/safe-text.ts";
import { buildEnvironment } from "../../../containment/build-environment.ts";
import type { ContainmentLimits } from "../../../containment/contained-process.ts";
import type { McpDirective } from "../../../contract/directive.ts";
import type { Limits } from "../../../contract/limits.ts";
import { noteCheckRun } from "../../delegation/attempt-files.ts";
import { quoteAsData } from "../../delegation/data-block.ts";
import { addNote } from "../../delegation/record.ts";
import { readAgentVariables } from "../../delegation/story-tools.ts";
import type { LiveAttempts } from "../../live/live-attempts.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { PlacedCommand } from "../../ports/work-place.ts";
import { readPlaceOptions } from "../invoke/agent-command.ts";
import type { JudgedAttempt } from "./validate-return.ts";

export interface ToolPorts {
  readonly tools: RunTools;
  readonly live: LiveAttempts;
}

const MAX_CALLS = 4;
const MAX_RESULT_LENGTH = 3000;
const MAX_NAME_LENGTH = 100;

/**
 * Calls the tools that an agent names with `[use-mcp:server/tool:arguments]`, if the person configured the server, and
 * returns their results as data for the agent's next turn. A server runs where the agent runs, with the same rights and
 * limits, and is stopped with the work. Anything else is refused with its reason (R7).
 */
export async function callTools(
  { tools, live }: ToolPorts,
  attempt: JudgedAttempt,
  wanted: readonly McpDirective[],
): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const [index, call] of wanted.slice(0, MAX_CALLS).entries()) {
    const name = safeText(`${call.server}/${call.tool}`).slice(0, MAX_NAME_LENGTH);
    const { ok, text, isStopped = false } = await callTool({ tools, live }, attempt, { ...call, index });
    if (isStopped)
      return [...answers, `Tool ${name} was stopped with the work; name it again if you need it.`];
    const shown = text.length <= MAX_RESULT_LENGTH ? text : `${text.slice(0, MAX_RESULT_LENGTH)}… (cut)`;
    await addNote(
      tools,
      attempt.delegation,
      `Tool ${name} ${ok ? "answered" : "gave no result"}: ${shown.slice(0, 500)}`,
    );
    answers.push(`Tool ${name} ${ok ? "answered" : "gave no result"}:\n${quoteAsData(name, shown)}`);
  }
  const left = wanted.length - answers.length;
  return left > 0
    ? [
        ...answers,
        `${countThings(left, "more tool")} ${left === 1 ? "was" : "were"} not called: one message may name ${MAX_CALLS}.`,
      ]
    : answers;
}

interface NumberedCall extends McpDirective {
  readonly index: number;
}

interface ToolAnswer {
  readonly ok: boolean;
  readonly text: string;
  /** Whether the work was stopped meanwhile. */
  readonly isStopped?: boolean;
}

async function callTool(
  { tools, live }: ToolPorts,
  attempt: JudgedAttempt,
  call: NumberedCall,
): Promise<ToolAnswer> {
  const { mcpServers } = await tools.settings();
  const command = Object.entries(mcpServers).find(([name]) => name === call.server)?.[1];
  if (command === undefined) {
    const names = Object.keys(mcpServers);
    const known = names.length === 0 ? "None is configured" : `Configured: ${names.join(", ")}`;
    return { ok: false, text: `Refused: no MCP server of that name is configured in agents.mcp. ${known}.` };
  }
  try {
    return await runServer({ tools, live }, attempt, { ...call, command });
  } catch (error) {
    return { ok: false, text: `The server could not be started: ${readErrorMessage(error)}` };
  }
}

interface PlacedCall extends NumberedCall {
  readonly command: string;
}

async function runServer(
  { tools, live }: ToolPorts,
  attempt: JudgedAttempt,
  call: PlacedCall,
): Promise<ToolAnswer> {
  const { delegation, place, files } = attempt;
  const placed = await placeServer(tools, attempt, call.command);
  const runId = `${delegation.executionId}-${delegation.attempt}-tool${call.index}`;
  const story = await tools.store.story(delegation.story);
  const uid = process.getuid?.() ?? 0;
  noteCheckRun(tools.stateDirectory, delegation, { runId, uid, identity: null, cgroup: null });
  const conversation = new McpConversation(call);
  const lines: string[] = [];
  let take = (line: string): void => void lines.push(line);
  const contained = await tools.processes.launch({
    ...placed,
    cwd: place.path,
    stdin: conversation.start(),
    keepStdinOpen: true,
    logDirectory: join(files.directory, `tool-${call.index}`),
    runId,
    limits: readToolLimits(story?.limits, delegation.timeoutSeconds),
    onEvent: (event) => {
      if (event.kind === "line-read" && event.stream === "stdout") take(event.text);
    },
  });
  let forget = (): void => undefined;
  try {
    const stopped = new Promise<ToolAnswer>((resolve) => {
      forget = live.registerHelper(delegation.id, () => resolve({ ok: false, text: "", isStopped: true }));
    });
    const answered = new Promise<ToolAnswer>((resolve) => {
      take = (line) => {
        const step = conversation.readLine(line);
        if (step.kind === "write") contained.writeInput(step.text);
        if (step.kind === "end") resolve(step);
      };
      for (const line of lines) take(line);
    });
    const ended = contained.exited.then(({ reason }) => describeEarlyEnd(reason));
    return await Promise.race([answered, ended, stopped]);
  } finally {
    forget();
    placed.forwarding?.close();
    await contained.stop("the call is over", { graceMs: 0 });
  }
}

function describeEarlyEnd(reason: string): ToolAnswer {
  return { ok: false, text: `The server ended without an answer (${reason}).` };
}

/** The server has the agent's rights and variables, but not its token. */
async function placeServer(tools: RunTools, attempt: JudgedAttempt, command: string): Promise<PlacedCommand> {
  const { delegation, place } = attempt;
  const { environment: base, pass: allow, set } = await readAgentVariables(tools, delegation.story);
  const environment = buildEnvironment({ base, allow, set: { ...set, ...place.environment } });
  const argv = ["/bin/sh", "-c", command];
  return place.placeCommand({ argv, environment }, readPlaceOptions(tools, attempt));
}

const MAX_CALL_MS = 30_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

function readToolLimits(limits: Limits | undefined, timeoutSeconds: number): ContainmentLimits {
  const timeoutMs = Math.min(MAX_CALL_MS, timeoutSeconds * 1000);
  return {
    timeoutMs,
    softLimit: 1,
    graceMs: 0,
    idleWarnMs: timeoutMs,
    idleStopMs: timeoutMs,
    outputMaxBytes: MAX_OUTPUT_BYTES,
    memoryMaxBytes: limits?.memoryMaxBytes ?? null,
    maxProcesses: limits?.maxProcesses ?? null,
    cpuMaxSeconds: limits?.cpuMaxSeconds ?? null,
  };
}
