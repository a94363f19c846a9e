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

/** Words of ours for endings that it tells in sentences. */
export const ENDING = { loop: "loop", turns: "turns", error: "error", success: "success" } as const;

export const parseGemini = lineParser((fields) => {
  switch (fields["type"]) {
    case "init":
      return sessionEvents(fields["session_id"]);
    case "message":
      return messageEvents(fields);
    case "tool_use":
      return toolCalled(fields);
    case "tool_result":
      return toolEnded(fields);
    case "error":
      return errorEvents(fields);
    case "result":
      return resultEvents(fields);
    default:
      return undefined;
  }
});

/** Its own prompt comes back as a message, too. */
function messageEvents(fields: Fields): Events {
  const text = textOf(fields["content"]);
  return fields["role"] === "assistant" && text !== "" ? [{ kind: "text", text }] : [];
}

function toolCalled(fields: Fields): Events {
  const id = textOf(fields["tool_id"]);
  return [{ kind: "tool-called", name: textOf(fields["tool_name"]), ...(id === "" ? {} : { id }) }];
}

function toolEnded(fields: Fields): Events {
  const id = textOf(fields["tool_id"]);
  const error = fieldsOf(fields["error"]);
  const isDenied = textOf(error["type"]) === "policy_violation";
  return [
    ...(id === "" ? [] : [{ kind: "tool-ended", id, ok: fields["status"] !== "error" } as const]),
    ...(isDenied ? [{ kind: "denied", tool: id === "" ? "a tool" : id } as const] : []),
  ];
}

/** After some of these it reports success, so that this is where the run has failed. */
function errorEvents(fields: Fields): Events {
  const text = textOf(fields["message"]);
  if (text.startsWith("Loop detected")) return [{ kind: "final", ok: false, text, reason: ENDING.loop }];
  if (text.startsWith("Maximum session turns"))
    return [{ kind: "final", ok: false, text, reason: ENDING.turns }];
  if (fields["severity"] !== "error") return [];
  return [
    { kind: "provider-failed", failure: readFailure({ message: text }) },
    { kind: "final", ok: false, text, reason: ENDING.error },
  ];
}

function resultEvents(fields: Fields): Events {
  const usage = runUsage(fieldsOf(fields["stats"]));
  if (fields["status"] === "success")
    return [...usage, { kind: "final", ok: true, text: "", reason: ENDING.success }];
  const error = fieldsOf(fields["error"]);
  const text = textOf(error["message"]);
  if (error["type"] === "FatalTurnLimitedError")
    return [...usage, { kind: "final", ok: false, text, reason: ENDING.turns }];
  return [
    ...usage,
    ...(text === "" ? [] : [{ kind: "provider-failed", failure: readFailure({ message: text }) } as const]),
    { kind: "final", ok: false, text, reason: ENDING.error },
  ];
}

function runUsage(stats: Fields): Events {
  return Object.entries(fieldsOf(stats["models"])).flatMap(([model, value]) =>
    modelUsage(model, fieldsOf(value)),
  );
}

/** Input contains what was cached. Thoughts are in the total alone; they cost what output costs. */
function modelUsage(model: string, figures: Fields): Events {
  const prompt = countOf(figures["input_tokens"]);
  const cached = countOf(figures["cached"]);
  const output = Math.max(countOf(figures["output_tokens"]), countOf(figures["total_tokens"]) - prompt);
  if (prompt + cached + output === 0) return [];
  const usage = reportUsage({ input: Math.max(0, prompt - cached), cached, output, model });
  return [{ kind: "usage", scope: "run", id: model, usage }];
}
