import type { AgentEvent, ReportedUsage } from "../../adapter-types/agent-adapter.ts";
import { readFailure } from "../../stream-json/read-failure.ts";
import {
  countOf,
  type Fields,
  fieldsOf,
  lineParser,
  listOf,
  sessionEvents,
  textOf,
} from "../../stream-json/read-line.ts";
import { reportUsage } from "../../stream-json/report-usage.ts";

type Events = readonly AgentEvent[];

/** Made by the CLI itself, to show an error as if the model had said it. */
const SYNTHETIC = "<synthetic>";

export const parseClaude = lineParser((fields) => {
  switch (fields["type"]) {
    case "system":
      return systemEvents(fields);
    case "assistant":
      return assistantEvents(fields);
    case "user":
      return listOf(fieldsOf(fields["message"])["content"]).flatMap(toolEnded);
    case "result":
      return resultEvents(fields);
    case "rate_limit_event":
      return rateLimitEvents(fieldsOf(fields["rate_limit_info"]));
    case "stream_event":
    case "tool_progress":
    case "keep_alive":
      return [];
    default:
      return undefined;
  }
});

function systemEvents(fields: Fields): Events {
  if (fields["subtype"] === "init") return sessionEvents(fields["session_id"]);
  if (fields["subtype"] !== "api_retry") return [];
  const failure = readFailure({
    message: textOf(fields["error"]) || "The provider refused a request.",
    status: fields["error_status"],
    retryAfterMs: countOf(fields["retry_delay_ms"]) || undefined,
  });
  return [{ kind: "provider-failed", failure }];
}

function assistantEvents(fields: Fields): Events {
  const message = fieldsOf(fields["message"]);
  if (message["model"] === SYNTHETIC) return [];
  // What one of its own agents says is no word of this one; what it used counts all the same.
  const isOwn = typeof fields["parent_tool_use_id"] !== "string";
  const content = listOf(message["content"]).flatMap((block) => blockEvents(fieldsOf(block), isOwn));
  return [...content, ...stepUsage(message)];
}

function blockEvents(block: Fields, isOwn: boolean): Events {
  const text = textOf(block["text"]);
  if (block["type"] === "text" && isOwn && text !== "") return [{ kind: "text", text }];
  if (block["type"] !== "tool_use" && block["type"] !== "server_tool_use") return [];
  const id = textOf(block["id"]);
  return [{ kind: "tool-called", name: textOf(block["name"]), ...(id === "" ? {} : { id }) }];
}

/** The output figure is a snapshot from the start of the message; only the last event has the whole of it. */
function stepUsage(message: Fields): Events {
  const usage = fieldsOf(message["usage"]);
  const id = textOf(message["id"]);
  if (id === "" || message["usage"] === undefined) return [];
  const figures = {
    input: countOf(usage["input_tokens"]) + countOf(usage["cache_creation_input_tokens"]),
    cached: countOf(usage["cache_read_input_tokens"]),
    output: countOf(usage["output_tokens"]),
    model: message["model"],
  };
  return [{ kind: "usage", scope: "step", id, usage: reportUsage(figures) }];
}

function toolEnded(value: unknown): Events {
  const block = fieldsOf(value);
  const id = textOf(block["tool_use_id"]);
  if (block["type"] !== "tool_result" || id === "") return [];
  return [{ kind: "tool-ended", id, ok: block["is_error"] !== true }];
}

function resultEvents(fields: Fields): Events {
  const ok = fields["is_error"] !== true && fields["subtype"] === "success";
  const text = textOf(fields["result"]);
  const told = text === "" ? listOf(fields["errors"]).map(textOf).join(" ") : text;
  const reason = ok ? "success" : failureReason(fields);
  return [
    ...totalUsage(fields),
    ...listOf(fields["permission_denials"]).map(deniedTool),
    ...(ok || reason !== "api_error" ? [] : [apiError(fields, told)]),
    { kind: "final", ok, text: told, reason },
  ];
}

/** A refusal of the provider is reported as a success that is an error. */
function failureReason(fields: Fields): string {
  const subtype = textOf(fields["subtype"]);
  const isApiError = subtype === "success" || subtype === "" || fields["terminal_reason"] === "api_error";
  return isApiError ? "api_error" : subtype;
}

function apiError(fields: Fields, message: string): AgentEvent {
  const type = textOf(fields["api_error_type"]);
  const failure = readFailure({ message, status: fields["api_error_status"], type });
  return { kind: "provider-failed", failure };
}

function deniedTool(value: unknown): AgentEvent {
  return { kind: "denied", tool: textOf(fieldsOf(value)["tool_name"]) || "a tool" };
}

/**
 * `usage` counts this run, without the last call before a budget stop. `modelUsage` has that call, and the dollars; of a
 * resumed session it counts everything in newer versions and this run alone in older ones, so that it is of the run when
 * the two agree, and of the session when it has more.
 */
function totalUsage(fields: Fields): Events {
  const models = Object.entries(fieldsOf(fields["modelUsage"])).map(([model, value]) =>
    modelUsage(model, fieldsOf(value)),
  );
  const run = runUsage(fieldsOf(fields["usage"]));
  if (models.length === 0) return tokensOf(run) === 0 ? [] : [{ kind: "usage", scope: "run", usage: run }];
  const isOfRun = models.reduce((sum, usage) => sum + tokensOf(usage), 0) === tokensOf(run);
  const scope = isOfRun ? "run" : "session";
  const byModel = models.map((usage) => ({ kind: "usage", scope, id: usage.model ?? "", usage }) as const);
  return isOfRun ? byModel : [{ kind: "usage", scope: "run", usage: run }, ...byModel];
}

function modelUsage(model: string, figures: Fields): ReportedUsage {
  return reportUsage({
    input: countOf(figures["inputTokens"]) + countOf(figures["cacheCreationInputTokens"]),
    cached: countOf(figures["cacheReadInputTokens"]),
    output: countOf(figures["outputTokens"]),
    usd: figures["costUSD"],
    model,
  });
}

function runUsage(usage: Fields): ReportedUsage {
  return reportUsage({
    input: countOf(usage["input_tokens"]) + countOf(usage["cache_creation_input_tokens"]),
    cached: countOf(usage["cache_read_input_tokens"]),
    output: countOf(usage["output_tokens"]),
  });
}

function tokensOf({ inputTokens, cachedTokens, outputTokens }: ReportedUsage): number {
  return inputTokens + cachedTokens + outputTokens;
}

function rateLimitEvents(info: Fields): Events {
  if (info["status"] !== "rejected") return [];
  const window = textOf(info["rateLimitType"]) || "account";
  return [
    {
      kind: "provider-failed",
      failure: readFailure({ message: `usage limit reached (${window})`, status: 429 }),
    },
  ];
}
