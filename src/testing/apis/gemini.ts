import { isRecord, readFieldAt } from "../../base/json.ts";
import { readListAt, readTextAt } from "./json-fields.ts";
import {
  splitIntoPieces,
  type Failure,
  type ModelRequest,
  type OfferedTool,
  type Reply,
  type TalkItem,
  type WireApi,
  type WireEvent,
} from "./wire-api.ts";

/** Gemini, `POST /v1beta/models/<model>:generateContent` and `:streamGenerateContent`. */
export const geminiApi: WireApi = {
  read: readRequest,
  document: buildDocument,
  events: buildEvents,
  failure: buildFailure,
};

/** `/v1beta/models/<model>:<action>`; undefined for any other path. */
export function geminiTarget(path: string): { readonly model: string; readonly action: string } | undefined {
  const start = path.indexOf("/models/");
  const colon = path.lastIndexOf(":");
  if (start < 0 || colon < start) return undefined;
  return {
    model: decodeURIComponent(path.slice(start + "/models/".length, colon)),
    action: path.slice(colon + 1),
  };
}

function readRequest(body: unknown, url: URL): ModelRequest {
  const target = geminiTarget(url.pathname);
  const stream = target?.action === "streamGenerateContent";
  const config = readFieldAt(body, "generationConfig");
  const answerSchema =
    readFieldAt(config, "responseJsonSchema") ??
    readFieldAt(config, "responseSchema") ??
    (readTextAt(config, "responseMimeType") === "application/json" ? {} : undefined);
  return {
    api: "gemini",
    model: target?.model ?? "",
    stream,
    tools: readListAt(body, "tools").flatMap(readTools),
    talk: readListAt(body, "contents").flatMap(readContent),
    asArray: stream && url.searchParams.get("alt") !== "sse",
    ...(isRecord(answerSchema) ? { answerSchema } : {}),
  };
}

function readTools(tools: unknown): readonly OfferedTool[] {
  return readListAt(tools, "functionDeclarations").map((declaration) => ({
    name: readTextAt(declaration, "name"),
    kind: "function",
    parameters: readFieldAt(declaration, "parametersJsonSchema") ?? readFieldAt(declaration, "parameters"),
  }));
}

function readContent(content: unknown): readonly TalkItem[] {
  if (readTextAt(content, "role") === "model") return [];
  return readListAt(content, "parts").flatMap(readPart);
}

function readPart(part: unknown): readonly TalkItem[] {
  const result = readFieldAt(part, "functionResponse");
  if (result !== undefined)
    return [{ kind: "result", text: readResultText(readFieldAt(result, "response")) }];
  const text = readFieldAt(part, "text");
  return typeof text === "string" ? [{ kind: "prompt", text }] : [];
}

/** The CLI wraps a tool's output as `{output}` or `{error}`. */
function readResultText(response: unknown): string {
  const plain = readFieldAt(response, "output") ?? readFieldAt(response, "error");
  return typeof plain === "string" ? plain : JSON.stringify(response ?? null);
}

function buildDocument(reply: Reply, request: ModelRequest): unknown {
  const parts = [...(reply.text === "" ? [] : [{ text: reply.text }]), ...buildCallParts(reply)];
  return buildChunk(reply, request, { parts, isLast: true });
}

function buildEvents(reply: Reply, request: ModelRequest): readonly WireEvent[] {
  const texts: readonly (readonly unknown[])[] = splitIntoPieces(reply.text).map((text) => [{ text }]);
  const groups = [...texts, ...(reply.calls.length > 0 ? [buildCallParts(reply)] : [])];
  if (groups.length === 0) groups.push([{ text: "" }]);
  const last = groups.length - 1;
  return groups.map((parts, index) => ({
    data: JSON.stringify(buildChunk(reply, request, { parts, isLast: index === last })),
  }));
}

function buildCallParts(reply: Reply): readonly unknown[] {
  return reply.calls.map((call) => ({
    functionCall: { id: call.id, name: call.tool.name, args: call.arguments },
  }));
}

function buildChunk(
  reply: Reply,
  request: ModelRequest,
  { parts, isLast }: { readonly parts: readonly unknown[]; readonly isLast: boolean },
): unknown {
  const content = { role: "model", parts };
  return {
    candidates: [{ content, index: 0, ...(isLast ? { finishReason: "STOP" } : {}) }],
    usageMetadata: buildUsage(reply, isLast),
    modelVersion: request.model,
    responseId: reply.id,
  };
}

/** Each chunk carries the usage so far: input from the first chunk on, output only in the last. */
function buildUsage({ usage }: Reply, isLast: boolean) {
  const prompt = usage.input + usage.cached;
  const output = isLast ? usage.output : 0;
  return {
    promptTokenCount: prompt,
    cachedContentTokenCount: usage.cached,
    candidatesTokenCount: output,
    totalTokenCount: prompt + output,
  };
}

const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [400, "INVALID_ARGUMENT"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [429, "RESOURCE_EXHAUSTED"],
  [503, "UNAVAILABLE"],
]);

function buildFailure({ status, message, retryAfterSeconds }: Failure): unknown {
  const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${retryAfterSeconds}s` };
  return {
    error: {
      code: status,
      message,
      status: STATUS_NAMES.get(status) ?? "INTERNAL",
      ...(retryAfterSeconds === undefined ? {} : { details: [retry] }),
    },
  };
}
