import { contentText, field, isRecord, listAt, textAt } from "./json-fields.ts";
import {
  pieces,
  type Failure,
  type ModelRequest,
  type OfferedTool,
  type Reply,
  type TalkItem,
  type ToolCall,
  type WireApi,
  type WireEvent,
} from "./wire-api.ts";

/** Anthropic Messages, `POST /v1/messages`. */
export const anthropicApi: WireApi = { read, document, events, failure };

function read(body: unknown): ModelRequest {
  const answerSchema =
    field(body, "output_config", "format", "schema") ?? field(body, "output_format", "schema");
  return {
    api: "anthropic",
    model: textAt(body, "model"),
    stream: field(body, "stream") === true,
    tools: listAt(body, "tools").map(readTool),
    talk: listAt(body, "messages").flatMap(readMessage),
    ...(isRecord(answerSchema) ? { answerSchema } : {}),
  };
}

function readTool(tool: unknown): OfferedTool {
  return { name: textAt(tool, "name"), kind: "function", parameters: field(tool, "input_schema") };
}

function readMessage(message: unknown): readonly TalkItem[] {
  if (textAt(message, "role") !== "user") return [];
  const content = field(message, "content");
  if (typeof content === "string") return [{ kind: "prompt", text: content }];
  return listAt(content).flatMap(readBlock);
}

function readBlock(block: unknown): readonly TalkItem[] {
  switch (textAt(block, "type")) {
    case "text":
      return [{ kind: "prompt", text: textAt(block, "text") }];
    case "tool_result":
      return [{ kind: "result", text: contentText(field(block, "content")) }];
    default:
      return [];
  }
}

function document(reply: Reply, request: ModelRequest): unknown {
  return {
    ...message(reply, request),
    content: [
      ...(reply.text === "" ? [] : [{ type: "text", text: reply.text }]),
      ...reply.calls.map((call) => ({ ...toolUse(call), input: call.arguments })),
    ],
    stop_reason: stopReason(reply),
    usage: { ...inputUse(reply), output_tokens: reply.usage.output },
  };
}

function events(reply: Reply, request: ModelRequest): readonly WireEvent[] {
  const start = { ...message(reply, request), usage: { ...inputUse(reply), output_tokens: 1 } };
  const texts = reply.text === "" ? [] : [reply.text];
  return [
    event("message_start", { message: start }),
    event("ping", {}),
    ...texts.flatMap((text) => textBlock(text)),
    ...reply.calls.flatMap((call, index) => callBlock(call, texts.length + index)),
    event("message_delta", {
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { ...inputUse(reply), output_tokens: reply.usage.output },
    }),
    event("message_stop", {}),
  ];
}

function textBlock(text: string): readonly WireEvent[] {
  return [
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ...pieces(text).map((piece) =>
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: piece } }),
    ),
    event("content_block_stop", { index: 0 }),
  ];
}

function callBlock(call: ToolCall, index: number): readonly WireEvent[] {
  return [
    event("content_block_start", { index, content_block: { ...toolUse(call), input: {} } }),
    ...pieces(JSON.stringify(call.arguments)).map((piece) =>
      event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: piece } }),
    ),
    event("content_block_stop", { index }),
  ];
}

function message(reply: Reply, request: ModelRequest) {
  return {
    id: `msg_${reply.id}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function toolUse(call: ToolCall) {
  return { type: "tool_use", id: `toolu_${call.id}`, name: call.tool.name };
}

function stopReason(reply: Reply): string {
  return reply.calls.length > 0 ? "tool_use" : "end_turn";
}

function inputUse({ usage }: Reply) {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
  };
}

function event(name: string, fields: Readonly<Record<string, unknown>>): WireEvent {
  return { name, data: JSON.stringify({ type: name, ...fields }) };
}

const ERROR_TYPES: ReadonlyMap<number, string> = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [529, "overloaded_error"],
]);

function failure({ status, message }: Failure): unknown {
  return { type: "error", error: { type: ERROR_TYPES.get(status) ?? "api_error", message } };
}
