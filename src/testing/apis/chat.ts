import { systemClock } from "../../base/clock.ts";
import { contentText, field, isRecord, listAt, textAt } from "./json-fields.ts";
import { openAiFailure } from "./openai-failure.ts";
import {
  pieces,
  type ModelRequest,
  type OfferedTool,
  type Reply,
  type TalkItem,
  type ToolCall,
  type WireApi,
  type WireEvent,
} from "./wire-api.ts";

/** OpenAI Chat Completions, `POST /v1/chat/completions`. */
export const chatApi: WireApi = { read, document, events, failure: openAiFailure };

function read(body: unknown): ModelRequest {
  const format = field(body, "response_format");
  const answerSchema =
    field(format, "json_schema", "schema") ?? (textAt(format, "type") === "json_object" ? {} : undefined);
  return {
    api: "chat",
    model: textAt(body, "model"),
    stream: field(body, "stream") === true,
    tools: listAt(body, "tools").map(readTool),
    talk: listAt(body, "messages").flatMap(readMessage),
    wantsUsage: field(body, "stream_options", "include_usage") === true,
    ...(isRecord(answerSchema) ? { answerSchema } : {}),
  };
}

function readTool(tool: unknown): OfferedTool {
  return {
    name: textAt(tool, "function", "name"),
    kind: "function",
    parameters: field(tool, "function", "parameters"),
  };
}

function readMessage(message: unknown): readonly TalkItem[] {
  const text = contentText(field(message, "content"));
  switch (textAt(message, "role")) {
    case "user":
      return [{ kind: "prompt", text }];
    case "tool":
      return [{ kind: "result", text }];
    default:
      return [];
  }
}

function document(reply: Reply, request: ModelRequest): unknown {
  const message = {
    role: "assistant",
    content: reply.text === "" ? null : reply.text,
    ...(reply.calls.length === 0 ? {} : { tool_calls: reply.calls.map(toolCall) }),
  };
  return {
    ...envelope(reply, request),
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(reply) }],
    usage: useOf(reply),
  };
}

function events(reply: Reply, request: ModelRequest): readonly WireEvent[] {
  const base = { ...envelope(reply, request), object: "chat.completion.chunk" };
  const chunk = (delta: unknown, finish: string | null = null): WireEvent => ({
    data: JSON.stringify({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] }),
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...pieces(reply.text).map((content) => chunk({ content })),
    ...reply.calls.flatMap(callDeltas).map((delta) => chunk({ tool_calls: [delta] })),
    chunk({}, finishReason(reply)),
    ...(request.wantsUsage === true
      ? [{ data: JSON.stringify({ ...base, choices: [], usage: useOf(reply) }) }]
      : []),
    { data: "[DONE]" },
  ];
}

/** The first names the call and has no arguments yet; those that follow carry them. */
function callDeltas(call: ToolCall, index: number): readonly unknown[] {
  const named = toolCall(call);
  return [
    { index, ...named, function: { name: call.tool.name, arguments: "" } },
    ...pieces(named.function.arguments).map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

function toolCall(call: ToolCall) {
  return {
    id: `call_${call.id}`,
    type: "function",
    function: { name: call.tool.name, arguments: JSON.stringify(call.arguments) },
  };
}

function envelope(reply: Reply, request: ModelRequest) {
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

function useOf({ usage }: Reply) {
  const prompt = usage.input + usage.cached;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
