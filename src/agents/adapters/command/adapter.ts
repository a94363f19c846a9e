import { agentErrors } from "../../../errors/agents.ts";
import type {
  AgentAdapter,
  AgentEvent,
  BuiltRun,
  ProcessEnd,
  RunEnd,
} from "../../adapter-types/agent-adapter.ts";
import { findKnownAgent } from "../other-programs.ts";
import { NETWORK_NAMES } from "../../stream-json/launch.ts";
import { describeExit } from "../../stream-json/exit-words.ts";
import { parseUsageLine } from "./usage-line.ts";
import { parseWorkerOutput, readWorkerUsage } from "./worker-output.ts";

const MAX_SAID_LENGTH = 300;

/** Drives any program: the prompt is on stdin, its output is its text, and it may print usage lines. */
export const commandAdapter: AgentAdapter = {
  name: "command",
  capabilities: { mcp: false, resume: false, liveUsage: true, windDown: false, repair: false, dollars: true },
  build: (spec) => {
    const [program, ...rest] = spec.command ?? [];
    if (program === undefined) throw agentErrors.commandMissing(spec.agent);
    return {
      argv: [program, ...rest],
      environment: {
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

/** All output is the final message: a program has no other way to mark one. */
export function settleByText(exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  const finalText = events.flatMap((event) => (event.kind === "text" ? [event.text] : [])).join("\n");
  if (exit.code === 0) return { ok: true, finalText, reason: "exited with code 0" };
  const how = describeExit(exit);
  const said = (exit.lastError ?? "").slice(0, MAX_SAID_LENGTH);
  return { ok: false, finalText, reason: said === "" ? how : `${how} and said: ${said}` };
}
