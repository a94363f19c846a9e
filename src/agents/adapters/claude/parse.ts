import { hashInput } from "../../stream-json/hash-input.ts";
import type { AgentEvent, ReportedUsage } from "../../adapter-types/agent-adapter.ts";
import { readFailure } from "../../stream-json/read-failure.ts";
import {
  readCount,
  type Fields,
  readFields,
  createLineParser,
  readList,
  sessionEvents,
  readText,
} from "../../stream-json/read-line.ts";
import { reportUsage } from "../../stream-json/report-usage.ts";

type Events = readonly AgentEvent[];

/** The CLI writes such messages itself to show an error as text of the model. */
const SYNTHETIC = "<synthetic>";

export const parseClaude = createLineParser((fields) => {
  switch (fields["type"]) {
    case "system":
      return readSystemEvent(fields);
    case "assistant":
      return readAssistantMessage(fields);
    case "user":
      return readList(readFields(fields["message"])["content"]).flatMap(readToolResult);
    case "result":
      return readResultEvent(fields);
    case "rate_limit_event":
      return readRateLimit(readFields(fields["rate_limit_info"]));
    case "stream_event":
      return readMessageEnd(fields);
    case "tool_progress":
    case "keep_alive":
      return [];
    default:
      return undefined;
  }
});

function readSystemEvent(fields: Fields): Events {
  if (fields["subtype"] === "init") return sessionEvents(fields["session_id"]);
  if (fields["subtype"] !== "api_retry") return [];
  const failure = readFailure({
    message: readText(fields["error"]) || "The provider refused a request.",
    status: fields["error_status"],
    retryAfterMs: readCount(fields["retry_delay_ms"]) || undefined,
  });
  return [{ kind: "provider-failed", failure }];
}

function readAssistantMessage(fields: Fields): Events {
  const message = readFields(fields["message"]);
  if (message["model"] === SYNTHETIC) return [];
  // Text of one of its own agents is not this agent's text, but its usage counts.
  const isOwn = typeof fields["parent_tool_use_id"] !== "string";
  const content = readList(message["content"]).flatMap((block) => readBlock(readFields(block), isOwn));
  return [...content, ...readStepUsage(message)];
}

function readBlock(block: Fields, isOwn: boolean): Events {
  const text = readText(block["text"]);
  if (block["type"] === "text" && isOwn && text !== "") return [{ kind: "text", text }];
  if (block["type"] !== "tool_use" && block["type"] !== "server_tool_use") return [];
  const id = readText(block["id"]);
  const name = readText(block["name"]);
  return [{ kind: "tool-called", name, ...(id === "" ? {} : { id }), ...hashInput(block["input"]) }];
}

/** The input of a request. Its output figure is a snapshot from the start of the message: the true one comes at its end. */
function readStepUsage(message: Fields): Events {
  const usage = readFields(message["usage"]);
  const id = readText(message["id"]);
  if (id === "" || message["usage"] === undefined) return [];
  const figures = {
    input: readCount(usage["input_tokens"]) + readCount(usage["cache_creation_input_tokens"]),
    cached: readCount(usage["cache_read_input_tokens"]),
    output: 0,
    model: message["model"],
  };
  return [{ kind: "usage", scope: "step", id, usage: reportUsage(figures) }];
}

/**
 * The output of a request, in the last event of its message. The event has an id of its own, not the message's, and its
 * figure includes those of earlier ones, so only the event that says why the message stopped counts.
 */
function readMessageEnd(fields: Fields): Events {
  const event = readFields(fields["event"]);
  const output = readCount(readFields(event["usage"])["output_tokens"]);
  const isLast = readText(readFields(event["delta"])["stop_reason"]) !== "";
  if (event["type"] !== "message_delta" || !isLast || output === 0) return [];
  const id = readText(fields["uuid"]);
  const usage = reportUsage({ input: 0, cached: 0, output });
  return [{ kind: "usage", scope: "step", ...(id === "" ? {} : { id: `output ${id}` }), usage }];
}

function readToolResult(value: unknown): Events {
  const block = readFields(value);
  const id = readText(block["tool_use_id"]);
  if (block["type"] !== "tool_result" || id === "") return [];
  return [{ kind: "tool-ended", id, ok: block["is_error"] !== true }];
}

function readResultEvent(fields: Fields): Events {
  const ok = fields["is_error"] !== true && fields["subtype"] === "success";
  const text = readText(fields["result"]);
  const told = text === "" ? readList(fields["errors"]).map(readText).join(" ") : text;
  const reason = ok ? "success" : readFailureReason(fields);
  return [
    ...readTotalUsage(fields),
    ...readList(fields["permission_denials"]).map(readDeniedTool),
    ...(ok || reason !== "api_error" ? [] : [readApiError(fields, told)]),
    { kind: "final", ok, text: told, reason },
  ];
}

/** Claude Code reports a provider's refusal as a "success" with `is_error`. */
function readFailureReason(fields: Fields): string {
  const subtype = readText(fields["subtype"]);
  const isApiError = subtype === "success" || subtype === "" || fields["terminal_reason"] === "api_error";
  return isApiError ? "api_error" : subtype;
}

function readApiError(fields: Fields, message: string): AgentEvent {
  const type = readText(fields["api_error_type"]);
  const failure = readFailure({ message, status: fields["api_error_status"], type });
  return { kind: "provider-failed", failure };
}

function readDeniedTool(value: unknown): AgentEvent {
  return { kind: "denied", tool: readText(readFields(value)["tool_name"]) || "a tool" };
}

/**
 * `usage` counts this run, without the last call before a budget stop. `modelUsage` includes that call and the cost. For
 * a resumed session it counts everything in newer versions and only this run in older ones: it is about the run if the
 * two agree, and about the session if it is larger.
 */
function readTotalUsage(fields: Fields): Events {
  const models = Object.entries(readFields(fields["modelUsage"])).map(([model, value]) =>
    readModelUsage(model, readFields(value)),
  );
  const run = readRunUsage(readFields(fields["usage"]));
  if (models.length === 0) return sumTokens(run) === 0 ? [] : [{ kind: "usage", scope: "run", usage: run }];
  const isOfRun = models.reduce((sum, usage) => sum + sumTokens(usage), 0) === sumTokens(run);
  const scope = isOfRun ? "run" : "session";
  const byModel = models.map((usage) => ({ kind: "usage", scope, id: usage.model ?? "", usage }) as const);
  return isOfRun ? byModel : [{ kind: "usage", scope: "run", usage: run }, ...byModel];
}

function readModelUsage(model: string, figures: Fields): ReportedUsage {
  return reportUsage({
    input: readCount(figures["inputTokens"]) + readCount(figures["cacheCreationInputTokens"]),
    cached: readCount(figures["cacheReadInputTokens"]),
    output: readCount(figures["outputTokens"]),
    usd: figures["costUSD"],
    model,
  });
}

function readRunUsage(usage: Fields): ReportedUsage {
  return reportUsage({
    input: readCount(usage["input_tokens"]) + readCount(usage["cache_creation_input_tokens"]),
    cached: readCount(usage["cache_read_input_tokens"]),
    output: readCount(usage["output_tokens"]),
  });
}

function sumTokens({ inputTokens, cachedTokens, outputTokens }: ReportedUsage): number {
  return inputTokens + cachedTokens + outputTokens;
}

function readRateLimit(info: Fields): Events {
  if (info["status"] !== "rejected") return [];
  const window = readText(info["rateLimitType"]) || "account";
  return [
    {
      kind: "provider-failed",
      failure: readFailure({ message: `usage limit reached (${window})`, status: 429 }),
    },
  ];
}
