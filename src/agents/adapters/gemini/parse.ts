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

/** Our words for endings that Gemini reports as sentences. */
export const ENDING = { loop: "loop", turns: "turns", error: "error", success: "success" } as const;

export const parseGemini = createLineParser((fields) => {
  switch (fields["type"]) {
    case "init":
      return sessionEvents(fields["session_id"]);
    case "message":
      return readMessageEvent(fields);
    case "tool_use":
      return readToolCall(fields);
    case "tool_result":
      return readToolResult(fields);
    case "error":
      return readErrorEvent(fields);
    case "result":
      return readResultEvent(fields);
    default:
      return undefined;
  }
});

/** Gemini also echoes the prompt as a message. */
function readMessageEvent(fields: Fields): Events {
  const text = readText(fields["content"]);
  return fields["role"] === "assistant" && text !== "" ? [{ kind: "text", text }] : [];
}

function readToolCall(fields: Fields): Events {
  const id = readText(fields["tool_id"]);
  const name = readText(fields["tool_name"]);
  return [{ kind: "tool-called", name, ...(id === "" ? {} : { id }), ...hashInput(fields["parameters"]) }];
}

function readToolResult(fields: Fields): Events {
  const id = readText(fields["tool_id"]);
  const error = readFields(fields["error"]);
  const isDenied = readText(error["type"]) === "policy_violation";
  return [
    ...(id === "" ? [] : [{ kind: "tool-ended", id, ok: fields["status"] !== "error" } as const]),
    ...(isDenied ? [{ kind: "denied", tool: id === "" ? "a tool" : id } as const] : []),
  ];
}

/** Gemini reports success after some of these, so the run fails here. */
function readErrorEvent(fields: Fields): Events {
  const text = readText(fields["message"]);
  if (text.startsWith("Loop detected")) return [{ kind: "final", ok: false, text, reason: ENDING.loop }];
  if (text.startsWith("Maximum session turns"))
    return [{ kind: "final", ok: false, text, reason: ENDING.turns }];
  if (fields["severity"] !== "error") return [];
  return [
    { kind: "provider-failed", failure: readFailure({ message: text }) },
    { kind: "final", ok: false, text, reason: ENDING.error },
  ];
}

function readResultEvent(fields: Fields): Events {
  const usage = readRunUsage(readFields(fields["stats"]));
  if (fields["status"] === "success")
    return [...usage, { kind: "final", ok: true, text: "", reason: ENDING.success }];
  const error = readFields(fields["error"]);
  const text = readText(error["message"]);
  if (error["type"] === "FatalTurnLimitedError")
    return [...usage, { kind: "final", ok: false, text, reason: ENDING.turns }];
  return [
    ...usage,
    ...(text === "" ? [] : [{ kind: "provider-failed", failure: readFailure({ message: text }) } as const]),
    { kind: "final", ok: false, text, reason: ENDING.error },
  ];
}

function readRunUsage(stats: Fields): Events {
  return Object.entries(readFields(stats["models"])).flatMap(([model, value]) =>
    readModelUsage(model, readFields(value)),
  );
}

/** Input includes cached tokens. Thoughts are only in the total and cost as much as output. */
function readModelUsage(model: string, figures: Fields): Events {
  const prompt = readCount(figures["input_tokens"]);
  const cached = readCount(figures["cached"]);
  const output = Math.max(readCount(figures["output_tokens"]), readCount(figures["total_tokens"]) - prompt);
  if (prompt + cached + output === 0) return [];
  const usage = reportUsage({ input: Math.max(0, prompt - cached), cached, output, model });
  return [{ kind: "usage", scope: "run", id: model, usage }];
}
