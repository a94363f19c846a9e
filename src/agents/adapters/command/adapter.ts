import { agentErrors } from "../../../errors/agents.ts";
import type {
  AgentAdapter,
  AgentEvent,
  BuiltRun,
  ProcessEnd,
  RunEnd,
} from "../../adapter-types/agent-adapter.ts";
import { bringHomeFolder } from "../home-folder.ts";
import { findKnownAgent, readKnownEvents } from "../other-programs.ts";
import { chooseFailureCode } from "../../stream-json/read-failure.ts";
import { NETWORK_NAMES } from "../../stream-json/launch.ts";
import { describeExit } from "../../stream-json/exit-words.ts";
import { parseUsageLine } from "./usage-line.ts";
import { parseWorkerOutput, readWorkerUsage } from "./worker-output.ts";

const MAX_SAID_LENGTH = 300;

/** Drives any program: the prompt is on stdin, its output is its text or its events, and it may print usage lines. */
export const commandAdapter: AgentAdapter = {
  name: "command",
  capabilities: { mcp: false, resume: false, liveUsage: true, windDown: false, repair: false, dollars: true },
  build: (spec) => {
    const [program, ...rest] = spec.command ?? [];
    if (program === undefined) throw agentErrors.commandMissing(spec.agent);
    const home = bringHomeFolder(findKnownAgent(spec.command ?? [])?.acp ?? {}, spec);
    return {
      argv: [program, ...rest],
      ...home,
      environment: {
        ...home.environment,
        AMBIT_RETURN_FILE: spec.returnFile,
        AMBIT_HANDOVER_FILE: spec.handoverFile,
        AMBIT_ATTEMPT: String(spec.attempt),
        AMBIT_TURN: spec.turn,
      },
      stdin: spec.prompt,
      ...passKeys(spec.command ?? []),
    };
  },
  parse: (line) => {
    const usage = parseUsageLine(line);
    if (usage !== undefined) return [{ kind: "usage", scope: "step", usage }];
    const events = readKnownEvents(line);
    if (events !== undefined) return events;
    const text: AgentEvent = { kind: "text", text: line };
    const output = parseWorkerOutput(line);
    return output === undefined
      ? [text]
      : [text, { kind: "usage", scope: "run", usage: readWorkerUsage(output) }];
  },
  settle: settleByText,
};

/** A program that is an agent needs its provider's key; any other gets no key. */
function passKeys(command: readonly string[]): Pick<BuiltRun, "pass"> {
  const keys = findKnownAgent(command)?.acp?.pass;
  return keys === undefined ? {} : { pass: [...keys, ...NETWORK_NAMES] };
}

/** All text is the final message: a program has no other way to mark one. One that prints events may say that it failed. */
export function settleByText(exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  const finalText = events.flatMap((event) => (event.kind === "text" ? [event.text] : [])).join("\n");
  const last = events.findLast((event) => event.kind === "final");
  if (last?.ok === false) return settleFailedEvents(last, { finalText, events });
  if (exit.code === 0) return { ok: true, finalText, reason: "exited with code 0" };
  const how = describeExit(exit);
  const said = (exit.lastError ?? "").slice(0, MAX_SAID_LENGTH);
  return { ok: false, finalText, reason: said === "" ? how : `${how} and said: ${said}` };
}

function settleFailedEvents(
  { reason, text }: Extract<AgentEvent, { kind: "final" }>,
  { finalText, events }: { readonly finalText: string; readonly events: readonly AgentEvent[] },
): RunEnd {
  const failure = events.findLast((event) => event.kind === "provider-failed")?.failure;
  const isProvider = reason === "error" && failure !== undefined;
  const said = text === "" ? reason : `${reason}: ${text.slice(0, MAX_SAID_LENGTH)}`;
  return {
    ok: false,
    finalText,
    reason: `ended with ${said}`,
    code: isProvider ? chooseFailureCode(failure) : "AGENT_STREAM_BROKEN",
  };
}
