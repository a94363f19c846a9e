import type { ErrorCode } from "../../../contract/error-code.ts";
import type { AgentEvent, ProcessEnd, RunEnd } from "../../adapter-types/agent-adapter.ts";
import { settleStream, type EndingRules } from "../../stream-json/settle-stream.ts";
import { LOOP_GUARD } from "./parse.ts";

const RULES: EndingRules = {
  codes: new Map<string, ErrorCode>([
    [LOOP_GUARD, "AGENT_LOOPED"],
    ["length", "AGENT_STREAM_BROKEN"],
    ["content-filter", "PROVIDER_FAILED"],
    ["MessageAbortedError", "AGENT_STREAM_BROKEN"],
    ["ProviderAuthError", "AGENT_NOT_LOGGED_IN"],
  ]),
  exits: new Map(),
  joiner: "\n",
};

export function settleOpencode(exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  return settleStream(RULES, exit, events);
}
