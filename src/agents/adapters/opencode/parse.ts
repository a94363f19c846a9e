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

/** A rejection without a call: its loop guard asked for permission, and no person could answer. */
export const LOOP_GUARD = "doom_loop";

/** OpenCode continues after these. */
const GOES_ON: ReadonlySet<string> = new Set(["tool-calls", "unknown", ""]);
const GOOD_ENDS: ReadonlySet<string> = new Set(["stop", "other"]);

export const parseOpencode = createLineParser((fields) => {
  const part = readFields(fields["part"]);
  switch (fields["type"]) {
    // Every event names the session; reading the first of each step is enough.
    case "step_start":
      return sessionEvents(fields["sessionID"]);
    case "text":
      return readTextEvent(readText(part["text"]));
    case "tool_use":
      return readToolEvent(part);
    case "step_finish":
      return readStepEvent(part);
    case "error":
      return [...sessionEvents(fields["sessionID"]), ...readErrorEvent(readFields(fields["error"]))];
    case "reasoning":
      return [];
    default:
      return undefined;
  }
});

function readTextEvent(text: string): Events {
  return text === "" ? [] : [{ kind: "text", text }];
}

/** OpenCode reports a call when it has ended. */
function readToolEvent(part: Fields): Events {
  const state = readFields(part["state"]);
  const name = readText(part["tool"]);
  const id = readText(part["callID"]);
  return [
    { kind: "tool-called", name, ...(id === "" ? {} : { id }), ...hashInput(state["input"]) },
    ...(id === "" ? [] : [{ kind: "tool-ended", id, ok: state["status"] !== "error" } as const]),
    ...(isPermissionRejection(readText(state["error"])) ? [{ kind: "denied", tool: name } as const] : []),
  ];
}

function isPermissionRejection(message: string): boolean {
  return message.includes("rejected permission");
}

function readStepEvent(part: Fields): Events {
  const reason = readText(part["reason"]);
  const usage = readStepUsage(part);
  if (GOES_ON.has(reason)) return usage;
  return [...usage, { kind: "final", ok: GOOD_ENDS.has(reason), text: "", reason }];
}

/** Input excludes cached tokens, and output excludes reasoning. */
function readStepUsage(part: Fields): Events {
  const tokens = readFields(part["tokens"]);
  const cache = readFields(tokens["cache"]);
  const id = readText(part["id"]);
  const usage = reportUsage({
    input: readCount(tokens["input"]) + readCount(cache["write"]),
    cached: readCount(cache["read"]),
    output: readCount(tokens["output"]) + readCount(tokens["reasoning"]),
    usd: part["cost"],
  });
  return [{ kind: "usage", scope: "step", ...(id === "" ? {} : { id }), usage }];
}

function readErrorEvent(error: Fields): Events {
  const name = readText(error["name"]) || "error";
  const data = readFields(error["data"]);
  const text = readText(data["message"]) || name;
  if (isPermissionRejection(text)) return [{ kind: "final", ok: false, text, reason: LOOP_GUARD }];
  const headers = readFields(data["responseHeaders"]);
  const failure = readFailure({
    message: `${text} ${readText(data["responseBody"])}`.trim(),
    status: data["statusCode"],
    retryAfterMs: readRetryAfter(headers),
  });
  return [
    { kind: "provider-failed", failure },
    { kind: "final", ok: false, text, reason: name },
  ];
}

/** In milliseconds, or in seconds as in the standard; a date would need a clock. */
function readRetryAfter(headers: Fields): number | undefined {
  const exact = Number(readText(headers["retry-after-ms"]));
  const seconds = Number(readText(headers["retry-after"]));
  if (exact > 0) return readCount(exact);
  return seconds > 0 ? readCount(seconds * 1000) : undefined;
}
