import { hashInput } from "../../stream-json/hash-input.ts";
import type { AgentEvent } from "../../adapter-types/agent-adapter.ts";
import { readFailure } from "../../stream-json/read-failure.ts";
import {
  readCount,
  type Fields,
  readFields,
  createLineParser,
  sessionEvents,
  readText,
} from "../../stream-json/read-line.ts";
import { reportUsage } from "../../stream-json/report-usage.ts";

type Events = readonly AgentEvent[];

export const parseCodex = createLineParser((fields) => {
  switch (fields["type"]) {
    case "thread.started":
      return sessionEvents(fields["thread_id"]);
    case "item.started":
      return readToolCall(readFields(fields["item"]));
    case "item.completed":
      return readCompletedItem(readFields(fields["item"]));
    case "turn.completed":
      return readTurnUsage(readFields(fields["usage"]));
    case "turn.failed":
      return readTurnFailure(readText(readFields(fields["error"])["message"]));
    // Not an end: it retries five times and reports each failure.
    case "error":
      return [{ kind: "provider-failed", failure: readFailure({ message: readText(fields["message"]) }) }];
    case "turn.started":
    case "item.updated":
      return [];
    default:
      return undefined;
  }
});

/** The tool's name; items of other kinds are not tool calls. */
function readToolName(item: Fields): string | undefined {
  switch (item["type"]) {
    case "command_execution":
      return "shell";
    case "file_change":
      return "apply_patch";
    case "mcp_tool_call":
      return `${readText(item["server"])}/${readText(item["tool"])}`;
    case "web_search":
      return "web_search";
    case "collab_tool_call":
      return readText(item["tool"]) || "collab";
    default:
      return undefined;
  }
}

function readToolInput(item: Fields): unknown {
  return item["command"] ?? item["arguments"] ?? item["query"] ?? undefined;
}

function readToolCall(item: Fields): Events {
  const name = readToolName(item);
  const id = readText(item["id"]);
  return name === undefined
    ? []
    : [{ kind: "tool-called", name, ...(id === "" ? {} : { id }), ...hashInput(readToolInput(item)) }];
}

function readCompletedItem(item: Fields): Events {
  const text = readText(item["text"]);
  if (item["type"] === "agent_message") return text === "" ? [] : [{ kind: "text", text }];
  const tool = readToolName(item);
  if (tool === undefined) return [];
  const id = readText(item["id"]);
  const ended: Events =
    id === ""
      ? []
      : [{ kind: "tool-ended", id, ok: !["failed", "declined"].includes(readText(item["status"])) }];
  return isItemDenied(item) ? [...ended, { kind: "denied", tool }] : ended;
}

/** No person can approve, so a request for approval is a refusal. */
function isItemDenied(item: Fields): boolean {
  const message = readText(readFields(item["error"])["message"]);
  return item["status"] === "declined" || message.includes("requires approval");
}

/** Usage covers the whole session, earlier turns included; input includes cached tokens. */
function readTurnUsage(usage: Fields): Events {
  const cached = readCount(usage["cached_input_tokens"]);
  const reported = reportUsage({
    input: Math.max(0, readCount(usage["input_tokens"]) - cached),
    cached,
    output: readCount(usage["output_tokens"]),
  });
  return [
    { kind: "usage", scope: "session", usage: reported },
    { kind: "final", ok: true, text: "", reason: "turn.completed" },
  ];
}

function readTurnFailure(message: string): Events {
  return [
    { kind: "provider-failed", failure: readFailure({ message }) },
    { kind: "final", ok: false, text: message, reason: "turn.failed" },
  ];
}
