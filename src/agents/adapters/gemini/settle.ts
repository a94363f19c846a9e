import type { ErrorCode } from "../../../contract/error-code.ts";
import type { AgentEvent, ProcessEnd, RunEnd } from "../../adapter-types/agent-adapter.ts";
import { settleStream, type EndingRules } from "../../stream-json/settle-stream.ts";
import { ENDING } from "./parse.ts";

const RULES: EndingRules = {
  codes: new Map<string, ErrorCode>([
    [ENDING.loop, "AGENT_LOOPED"],
    [ENDING.turns, "AGENT_TURN_LIMIT"],
  ]),
  exits: new Map([
    [41, { code: "AGENT_NOT_LOGGED_IN", reason: "It has no login: exit code 41." }],
    [
      42,
      {
        code: "AGENT_STREAM_BROKEN",
        reason: "It refused its input or does not know the session: exit code 42.",
      },
    ],
    [52, { code: "CONFIG_INVALID", reason: "It cannot read its settings: exit code 52." }],
    [53, { code: "AGENT_TURN_LIMIT", reason: "It reached its limit of turns: exit code 53." }],
  ]),
  // Gemini sends a message in pieces.
  joiner: "",
};

export function settleGemini(exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  return settleStream(RULES, exit, events);
}
