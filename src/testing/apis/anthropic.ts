import { isRecord, readFieldAt } from "../../base/json.ts";
import { readContentText, readListAt, readTextAt } from "./json-fields.ts";
import {
  splitIntoPieces,
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
export const anthropicApi: WireApi = {
  read: readRequest,
  document: buildDocument,
  events: buildEvents,
  failure: buildFailure,
};

function readRequest(body: unknown): ModelRequest {
  const answerSchema =
    readFieldAt(body, "output_config", "format", "schema") ?? readFieldAt(body, "output_format", "schema");
  return {
    api: "anthropic",
    model: readTextAt(body, "model"),
    stream: readFieldAt(body, "stream") === true,
    tools: readListAt(body, "tools").map(readTool),
    talk: readListAt(body, "messages").flatMap(readMessage),
    ...(isRecord(answerSchema) ? { answerSchema } : {}),
  };
}

function readTool(tool: unknown): OfferedTool {
  return { name: readTextAt(tool, "name"), kind: "function", parameters: readFieldAt(tool, "input_schema") };
}

function readMessage(message: unknown): readonly TalkItem[] {
  if (readTextAt(message, "role") !== "user") return [];
  const content = readFieldAt(message, "content");
  if (typeof content === "string") return [{ kind: "prompt", text: content }];
  return readListAt(content).flatMap(readBlock);
}

function readBlock(block: unknown): readonly TalkItem[] {
  switch (readTextAt(block, "type")) {
    case "text":
      return [{ kind: "prompt", text: readTextAt(block, "text") }];
    case "tool_result":
      return [{ kind: "result", text: readContentText(readFieldAt(block, "content")) }];
    default:
      return [];
  }
}

function buildDocument(reply: Reply, request: ModelRequest): unknown {
  return {
    ...buildMessage(reply, request),
    content: [
      ...(reply.text === "" ? [] : [{ type: "text", text: reply.text }]),
      ...reply.calls.map((call) => ({ ...buildToolUse(call), input: call.arguments })),
    ],
    stop_reason: chooseStopReason(reply),
    usage: { ...buildInputUsage(reply), output_tokens: reply.usage.output },
  };
}

function buildEvents(reply: Reply, request: ModelRequest): readonly WireEvent[] {
  const start = { ...buildMessage(reply, request), usage: { ...buildInputUsage(reply), output_tokens: 1 } };
  const texts = reply.text === "" ? [] : [reply.text];
  return [
    buildEvent("message_start", { message: start }),
    buildEvent("ping", {}),
    ...texts.flatMap((text) => buildTextEvents(text)),
    ...reply.calls.flatMap((call, index) => buildCallEvents(call, texts.length + index)),
    buildEvent("message_delta", {
      delta: { stop_reason: chooseStopReason(reply), stop_sequence: null },
      usage: { ...buildInputUsage(reply), output_tokens: reply.usage.output },
    }),
    buildEvent("message_stop", {}),
  ];
}

function buildTextEvents(text: string): readonly WireEvent[] {
  return [
    buildEvent("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ...splitIntoPieces(text).map((piece) =>
      buildEvent("content_block_delta", { index: 0, delta: { type: "text_delta", text: piece } }),
    ),
    buildEvent("content_block_stop", { index: 0 }),
  ];
}

function buildCallEvents(call: ToolCall, index: number): readonly WireEvent[] {
  return [
    buildEvent("content_block_start", { index, content_block: { ...buildToolUse(call), input: {} } }),
    ...splitIntoPieces(JSON.stringify(call.arguments)).map((piece) =>
      buildEvent("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: piece } }),
    ),
    buildEvent("content_block_stop", { index }),
  ];
}

function buildMessage(reply: Reply, request: ModelRequest) {
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

function buildToolUse(call: ToolCall) {
  return { type: "tool_use", id: `toolu_${call.id}`, name: call.tool.name };
}

function chooseStopReason(reply: Reply): string {
  return reply.calls.length > 0 ? "tool_use" : "end_turn";
}

function buildInputUsage({ usage }: Reply) {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
  };
}

function buildEvent(name: string, fields: Readonly<Record<string, unknown>>): WireEvent {
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

function buildFailure({ status, message }: Failure): unknown {
  return { type: "error", error: { type: ERROR_TYPES.get(status) ?? "api_error", message } };
}
