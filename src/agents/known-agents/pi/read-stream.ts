import type { AgentEvent } from "../../adapter-types/agent-adapter.ts";
import { hashInput } from "../../stream-json/hash-input.ts";
import { readFailure } from "../../stream-json/read-failure.ts";
import { readCount, readFields, readList, readText, type Fields } from "../../stream-json/read-line.ts";
import { reportUsage } from "../../stream-json/report-usage.ts";

type Events = readonly AgentEvent[];

/** Events that say nothing new: whole messages and calls follow or precede them. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  "session",
  "agent_start",
  "agent_end",
  "agent_settled",
  "turn_start",
  "turn_end",
  "message_start",
  "message_update",
  "tool_execution_update",
  "queue_update",
  "entry_appended",
  "session_info_changed",
  "thinking_level_changed",
  "compaction_start",
  "auto_retry_start",
  "auto_retry_end",
  "summarization_retry_scheduled",
  "summarization_retry_attempt_start",
  "summarization_retry_finished",
]);

/** Reads an event that pi prints with `--mode json`. Undefined for a line that is not one of its events. */
export function readPiEvent(fields: Fields): Events | undefined {
  const type = readText(fields["type"]);
  switch (type) {
    case "message_end":
      return readMessage(readFields(fields["message"]));
    case "tool_execution_start":
      return readCall(fields);
    case "tool_execution_end":
      return [{ kind: "tool-ended", id: readText(fields["toolCallId"]), ok: fields["isError"] !== true }];
    case "compaction_end":
      return readUsage(readFields(readFields(fields["result"])["usage"]));
    default:
      return PASSED_OVER.has(type) ? [] : undefined;
  }
}

function readCall(fields: Fields): Events {
  const id = readText(fields["toolCallId"]);
  const name = readText(fields["toolName"]);
  return [{ kind: "tool-called", name, ...(id === "" ? {} : { id }), ...hashInput(fields["args"]) }];
}

function readMessage(message: Fields): Events {
  if (message["role"] !== "assistant") return [];
  const text = readList(message["content"])
    .map((part) => readFields(part))
    .filter(({ type }) => type === "text")
    .map((part) => readText(part["text"]))
    .join("\n");
  return [
    ...readUsage(readFields(message["usage"]), message["model"]),
    ...(text === "" ? [] : [{ kind: "text", text } as const]),
    ...readEnd(message),
  ];
}

/** Input excludes what was read from a cache. */
function readUsage(usage: Fields, model?: unknown): Events {
  const figures = {
    input: readCount(usage["input"]) + readCount(usage["cacheWrite"]),
    cached: readCount(usage["cacheRead"]),
    output: readCount(usage["output"]),
  };
  if (figures.input + figures.cached + figures.output === 0) return [];
  const usd = readFields(usage["cost"])["total"];
  return [{ kind: "usage", scope: "step", usage: reportUsage({ ...figures, usd, model }) }];
}

const FAILED_ENDS: ReadonlySet<string> = new Set(["error", "aborted", "length"]);

/** It exits with 0 even then, and it may try again: its last message counts. */
function readEnd(message: Fields): Events {
  const reason = readText(message["stopReason"]);
  if (!FAILED_ENDS.has(reason)) return [{ kind: "final", ok: true, text: "", reason }];
  const text = readText(message["errorMessage"]);
  const failure = readFailure({ message: text });
  return [
    ...(reason === "error" ? [{ kind: "provider-failed", failure } as const] : []),
    { kind: "final", ok: false, text, reason },
  ];
}
