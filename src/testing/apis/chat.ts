import { isRecord, readFieldAt } from "../../base/json.ts";
import { systemClock } from "../../base/clock.ts";
import { readContentText, readListAt, readTextAt } from "./json-fields.ts";
import { openAiFailure } from "./openai-failure.ts";
import {
  splitIntoPieces,
  type ModelRequest,
  type OfferedTool,
  type Reply,
  type TalkItem,
  type ToolCall,
  type WireApi,
  type WireEvent,
} from "./wire-api.ts";

/** OpenAI Chat Completions, `POST /v1/chat/completions`. */
export const chatApi: WireApi = {
  read: readRequest,
  document: buildDocument,
  events: buildEvents,
  failure: openAiFailure,
};

function readRequest(body: unknown): ModelRequest {
  const format = readFieldAt(body, "response_format");
  const answerSchema =
    readFieldAt(format, "json_schema", "schema") ??
    (readTextAt(format, "type") === "json_object" ? {} : undefined);
  return {
    api: "chat",
    model: readTextAt(body, "model"),
    stream: readFieldAt(body, "stream") === true,
    tools: readListAt(body, "tools").map(readTool),
    talk: readListAt(body, "messages").flatMap(readMessage),
    wantsUsage: readFieldAt(body, "stream_options", "include_usage") === true,
    ...(isRecord(answerSchema) ? { answerSchema } : {}),
  };
}

function readTool(tool: unknown): OfferedTool {
  return {
    name: readTextAt(tool, "function", "name"),
    kind: "function",
    parameters: readFieldAt(tool, "function", "parameters"),
  };
}

function readMessage(message: unknown): readonly TalkItem[] {
  const text = readContentText(readFieldAt(message, "content"));
  switch (readTextAt(message, "role")) {
    case "user":
      return [{ kind: "prompt", text }];
    case "tool":
      return [{ kind: "result", text }];
    default:
      return [];
  }
}

function buildDocument(reply: Reply, request: ModelRequest): unknown {
  const message = {
    role: "assistant",
    content: reply.text === "" ? null : reply.text,
    ...(reply.calls.length === 0 ? {} : { tool_calls: reply.calls.map(buildToolCall) }),
  };
  return {
    ...buildEnvelope(reply, request),
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(reply) }],
    usage: buildUsage(reply),
  };
}

function buildEvents(reply: Reply, request: ModelRequest): readonly WireEvent[] {
  const base = { ...buildEnvelope(reply, request), object: "chat.completion.chunk" };
  const chunk = (delta: unknown, finish: string | null = null): WireEvent => ({
    data: JSON.stringify({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] }),
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...splitIntoPieces(reply.text).map((content) => chunk({ content })),
    ...reply.calls.flatMap(buildCallDeltas).map((delta) => chunk({ tool_calls: [delta] })),
    chunk({}, finishReason(reply)),
    ...(request.wantsUsage === true
      ? [{ data: JSON.stringify({ ...base, choices: [], usage: buildUsage(reply) }) }]
      : []),
    { data: "[DONE]" },
  ];
}

/** The first delta names the call, and the following ones carry its arguments. */
function buildCallDeltas(call: ToolCall, index: number): readonly unknown[] {
  const named = buildToolCall(call);
  return [
    { index, ...named, function: { name: call.tool.name, arguments: "" } },
    ...splitIntoPieces(named.function.arguments).map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

function buildToolCall(call: ToolCall) {
  return {
    id: `call_${call.id}`,
    type: "function",
    function: { name: call.tool.name, arguments: JSON.stringify(call.arguments) },
  };
}

function buildEnvelope(reply: Reply, request: ModelRequest) {
  return {
    id: `chatcmpl-${reply.id}`,
    created: Math.floor(systemClock.wallMs() / 1000),
    model: request.model,
    system_fingerprint: null,
  };
}

function finishReason(reply: Reply): string {
  return reply.calls.length > 0 ? "tool_calls" : "stop";
}

function buildUsage({ usage }: Reply) {
  const prompt = usage.input + usage.cached;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
