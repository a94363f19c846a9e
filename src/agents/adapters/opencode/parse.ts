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

/** A rejection that belongs to no call: its guard against repeating itself has asked, and nobody answered. */
export const LOOP_GUARD = "doom_loop";

/** After these it goes on by itself. */
const GOES_ON: ReadonlySet<string> = new Set(["tool-calls", "unknown", ""]);
const GOOD_ENDS: ReadonlySet<string> = new Set(["stop", "other"]);

export const parseOpencode = lineParser((fields) => {
  const part = fieldsOf(fields["part"]);
  switch (fields["type"]) {
    // Every event names the session; the first of each step is often enough.
    case "step_start":
      return sessionEvents(fields["sessionID"]);
    case "text":
      return textEvents(textOf(part["text"]));
    case "tool_use":
      return toolEvents(part);
    case "step_finish":
      return stepEvents(part);
    case "error":
      return [...sessionEvents(fields["sessionID"]), ...errorEvents(fieldsOf(fields["error"]))];
    case "reasoning":
      return [];
    default:
      return undefined;
  }
});

function textEvents(text: string): Events {
  return text === "" ? [] : [{ kind: "text", text }];
}

/** A call is told when it is over. */
function toolEvents(part: Fields): Events {
  const state = fieldsOf(part["state"]);
  const name = textOf(part["tool"]);
  const id = textOf(part["callID"]);
  return [
    { kind: "tool-called", name, ...(id === "" ? {} : { id }) },
    ...(id === "" ? [] : [{ kind: "tool-ended", id, ok: state["status"] !== "error" } as const]),
    ...(isRejection(textOf(state["error"])) ? [{ kind: "denied", tool: name } as const] : []),
  ];
}

function isRejection(message: string): boolean {
  return message.includes("rejected permission");
}

function stepEvents(part: Fields): Events {
  const reason = textOf(part["reason"]);
  const usage = stepUsage(part);
  if (GOES_ON.has(reason)) return usage;
  return [...usage, { kind: "final", ok: GOOD_ENDS.has(reason), text: "", reason }];
}

/** Input does not contain what was cached, output not what was thought. */
function stepUsage(part: Fields): Events {
  const tokens = fieldsOf(part["tokens"]);
  const cache = fieldsOf(tokens["cache"]);
  const id = textOf(part["id"]);
  const usage = reportUsage({
    input: countOf(tokens["input"]) + countOf(cache["write"]),
    cached: countOf(cache["read"]),
    output: countOf(tokens["output"]) + countOf(tokens["reasoning"]),
    usd: part["cost"],
  });
  return [{ kind: "usage", scope: "step", ...(id === "" ? {} : { id }), usage }];
}

function errorEvents(error: Fields): Events {
  const name = textOf(error["name"]) || "error";
  const data = fieldsOf(error["data"]);
  const text = textOf(data["message"]) || name;
  if (isRejection(text)) return [{ kind: "final", ok: false, text, reason: LOOP_GUARD }];
  const headers = fieldsOf(data["responseHeaders"]);
  const failure = readFailure({
    message: `${text} ${textOf(data["responseBody"])}`.trim(),
    status: data["statusCode"],
    retryAfterMs: retryAfter(headers),
  });
  return [
    { kind: "provider-failed", failure },
    { kind: "final", ok: false, text, reason: name },
  ];
}

/** In milliseconds, or in seconds as the standard has it; a date would need a clock. */
function retryAfter(headers: Fields): number | undefined {
  const exact = Number(textOf(headers["retry-after-ms"]));
  const seconds = Number(textOf(headers["retry-after"]));
  if (exact > 0) return countOf(exact);
  return seconds > 0 ? countOf(seconds * 1000) : undefined;
}
