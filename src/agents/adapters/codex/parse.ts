import type { AgentEvent } from "../../adapter-types/agent-adapter.ts";
import { readFailure } from "../../stream-json/read-failure.ts";
import {
  countOf,
  type Fields,
  fieldsOf,
  lineParser,
  sessionEvents,
  textOf,
} from "../../stream-json/read-line.ts";
import { reportUsage } from "../../stream-json/report-usage.ts";

type Events = readonly AgentEvent[];

export const parseCodex = lineParser((fields) => {
  switch (fields["type"]) {
    case "thread.started":
      return sessionEvents(fields["thread_id"]);
    case "item.started":
      return toolCalled(fieldsOf(fields["item"]));
    case "item.completed":
      return itemCompleted(fieldsOf(fields["item"]));
    case "turn.completed":
      return turnCompleted(fieldsOf(fields["usage"]));
    case "turn.failed":
      return turnFailed(textOf(fieldsOf(fields["error"])["message"]));
    // It goes on after most of them: it tries again five times, and says so each time.
    case "error":
      return [{ kind: "provider-failed", failure: readFailure({ message: textOf(fields["message"]) }) }];
    case "turn.started":
    case "item.updated":
      return [];
    default:
      return undefined;
  }
});

/** What each of its tools is called; items of other kinds are no calls. */
function toolName(item: Fields): string | undefined {
  switch (item["type"]) {
    case "command_execution":
      return "shell";
    case "file_change":
      return "apply_patch";
    case "mcp_tool_call":
      return `${textOf(item["server"])}/${textOf(item["tool"])}`;
    case "web_search":
      return "web_search";
    case "collab_tool_call":
      return textOf(item["tool"]) || "collab";
    default:
      return undefined;
  }
}

function toolCalled(item: Fields): Events {
  const name = toolName(item);
  const id = textOf(item["id"]);
  return name === undefined ? [] : [{ kind: "tool-called", name, ...(id === "" ? {} : { id }) }];
}

function itemCompleted(item: Fields): Events {
  const text = textOf(item["text"]);
  if (item["type"] === "agent_message") return text === "" ? [] : [{ kind: "text", text }];
  const tool = toolName(item);
  if (tool === undefined) return [];
  const id = textOf(item["id"]);
  const ended: Events =
    id === ""
      ? []
      : [{ kind: "tool-ended", id, ok: !["failed", "declined"].includes(textOf(item["status"])) }];
  return isDenied(item) ? [...ended, { kind: "denied", tool }] : ended;
}

/** Nobody is there to approve, so that asking is refusing. */
function isDenied(item: Fields): boolean {
  const message = textOf(fieldsOf(item["error"])["message"]);
  return item["status"] === "declined" || message.includes("requires approval");
}

/** Counts the whole session, earlier turns included; input contains what was read from a cache. */
function turnCompleted(usage: Fields): Events {
  const cached = countOf(usage["cached_input_tokens"]);
  const reported = reportUsage({
    input: Math.max(0, countOf(usage["input_tokens"]) - cached),
    cached,
    output: countOf(usage["output_tokens"]),
  });
  return [
    { kind: "usage", scope: "session", usage: reported },
    { kind: "final", ok: true, text: "", reason: "turn.completed" },
  ];
}

function turnFailed(message: string): Events {
  return [
    { kind: "provider-failed", failure: readFailure({ message }) },
    { kind: "final", ok: false, text: message, reason: "turn.failed" },
  ];
}
