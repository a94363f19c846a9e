import { systemClock } from "../../base/clock.ts";
import { splitIntoPieces, type ModelRequest, type Reply, type ToolCall, type WireEvent } from "./wire-api.ts";

type Item = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, unknown>>;
/** An event without its sequence number, which is counted over the whole answer. */
type Draft = readonly [type: string, fields: Fields];

export function responseDocument(reply: Reply, request: ModelRequest): unknown {
  return finishItem(reply, request);
}

export function responseEvents(reply: Reply, request: ModelRequest): readonly WireEvent[] {
  const begun = buildEnvelope(reply, request, "in_progress");
  const texts = reply.text === "" ? [] : [reply.text];
  const drafts: readonly Draft[] = [
    ["response.created", { response: begun }],
    ["response.in_progress", { response: begun }],
    ...texts.flatMap((text) => buildTextEvents(reply, text)),
    ...reply.calls.flatMap((call, index) => buildCallEvents(call, texts.length + index)),
    ["response.completed", { response: finishItem(reply, request) }],
  ];
  return drafts.map(([type, fields], index) => ({
    name: type,
    data: JSON.stringify({ type, sequence_number: index, ...fields }),
  }));
}

function buildTextEvents(reply: Reply, text: string): readonly Draft[] {
  const item = buildTextItem(reply);
  const at = { item_id: `msg_${reply.id}`, output_index: 0, content_index: 0 };
  const part = { type: "output_text", text, annotations: [] };
  return [
    [
      "response.output_item.added",
      { output_index: 0, item: { ...item, status: "in_progress", content: [] } },
    ],
    ["response.content_part.added", { ...at, part: { ...part, text: "" } }],
    ...splitIntoPieces(text).map((delta): Draft => ["response.output_text.delta", { ...at, delta }]),
    ["response.output_text.done", { ...at, text }],
    ["response.content_part.done", { ...at, part }],
    ["response.output_item.done", { output_index: 0, item }],
  ];
}

function buildCallEvents(call: ToolCall, index: number): readonly Draft[] {
  const item = buildCallItem(call);
  const at = { item_id: `fc_${call.id}`, output_index: index };
  const added = { output_index: index, item: { ...item, ...clearCallInput(call), status: "in_progress" } };
  const done: Draft = ["response.output_item.done", { output_index: index, item }];
  if (call.tool.kind === "local_shell") return [["response.output_item.added", added], done];
  const [type, whole, text] =
    call.tool.kind === "custom"
      ? ["response.custom_tool_call_input", "input", readPlainInput(call)]
      : ["response.function_call_arguments", "arguments", JSON.stringify(call.arguments)];
  return [
    ["response.output_item.added", added],
    ...splitIntoPieces(text).map((delta): Draft => [`${type}.delta`, { ...at, delta }]),
    [`${type}.done`, { ...at, [whole]: text }],
    done,
  ];
}

function buildTextItem(reply: Reply): Item {
  return {
    id: `msg_${reply.id}`,
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text: reply.text, annotations: [] }],
  };
}

/** Without the namespace Codex answers "unsupported call" for the tools of an MCP server. */
function buildCallItem(call: ToolCall): Item {
  const common = { id: `fc_${call.id}`, call_id: `call_${call.id}`, status: "completed" };
  const { name, namespace, kind } = call.tool;
  const named = { name, ...(namespace === undefined ? {} : { namespace }) };
  switch (kind) {
    case "function":
      return { ...common, type: "function_call", ...named, arguments: JSON.stringify(call.arguments) };
    case "custom":
      return { ...common, type: "custom_tool_call", ...named, input: readPlainInput(call) };
    case "local_shell":
      return {
        ...common,
        type: "local_shell_call",
        action: { type: "exec", env: {}, ...call.arguments },
      };
  }
}

function clearCallInput({ tool }: ToolCall): Fields {
  if (tool.kind === "function") return { arguments: "" };
  return tool.kind === "custom" ? { input: "" } : {};
}

function readPlainInput(call: ToolCall): string {
  const { input } = call.arguments;
  return typeof input === "string" ? input : JSON.stringify(call.arguments);
}

function finishItem(reply: Reply, request: ModelRequest): Fields {
  const { usage } = reply;
  const input = usage.input + usage.cached;
  return {
    ...buildEnvelope(reply, request, "completed"),
    output: [...(reply.text === "" ? [] : [buildTextItem(reply)]), ...reply.calls.map(buildCallItem)],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + usage.output,
    },
  };
}

function buildEnvelope(reply: Reply, request: ModelRequest, status: string): Fields {
  return {
    id: `resp_${reply.id}`,
    object: "response",
    created_at: Math.floor(systemClock.wallMs() / 1000),
    status,
    model: request.model,
    output: [],
    error: null,
    incomplete_details: null,
    parallel_tool_calls: true,
    usage: null,
  };
}
