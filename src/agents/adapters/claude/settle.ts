import type { ErrorCode } from "../../../contract/error-code.ts";
import type { AgentEvent, ProcessEnd, RunEnd } from "../../adapter-types/agent-adapter.ts";
import { settleStream, type EndingRules } from "../../stream-json/settle-stream.ts";

const RULES: EndingRules = {
  codes: new Map<string, ErrorCode>([
    ["error_max_turns", "AGENT_TURN_LIMIT"],
    ["error_max_budget_usd", "COST_LIMIT_EXCEEDED"],
    ["error_max_structured_output_retries", "VALIDATION_FAILED"],
    // Also after an interrupt, where it exits with 0.
    ["error_during_execution", "AGENT_STREAM_BROKEN"],
  ]),
  exits: new Map(),
  joiner: "\n",
};

export function settleClaude(exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  return settleStream(RULES, exit, events);
}
