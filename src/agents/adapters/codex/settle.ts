import type { AgentEvent, ProcessEnd, RunEnd } from "../../adapter-types/agent-adapter.ts";
import { settleStream, type EndingRules } from "../../stream-json/settle-stream.ts";

const RULES: EndingRules = { codes: new Map(), exits: new Map(), joiner: undefined };

export function settleCodex(exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  return settleStream(RULES, exit, events);
}
