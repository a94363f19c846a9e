import { field, isRecord, listAt, textAt } from "./json-fields.ts";
import {
  pieces,
  type Failure,
  type ModelRequest,
  type OfferedTool,
  type Reply,
  type TalkItem,
  type WireApi,
  type WireEvent,
} from "./wire-api.ts";

/** Gemini, `POST /v1beta/models/<model>:generateContent` and `:streamGenerateContent`. */
export const geminiApi: WireApi = { read, document, events, failure };

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

function read(body: unknown, url: URL): ModelRequest {
  const target = geminiTarget(url.pathname);
  const stream = target?.action === "streamGenerateContent";
  const config = field(body, "generationConfig");
  const answerSchema =
    field(config, "responseJsonSchema") ??
    field(config, "responseSchema") ??
    (textAt(config, "responseMimeType") === "application/json" ? {} : undefined);
  return {
    api: "gemini",
    model: target?.model ?? "",
    stream,
    tools: listAt(body, "tools").flatMap(readTools),
    talk: listAt(body, "contents").flatMap(readContent),
    asArray: stream && url.searchParams.get("alt") !== "sse",
    ...(isRecord(answerSchema) ? { answerSchema } : {}),
  };
}

function readTools(tools: unknown): readonly OfferedTool[] {
  return listAt(tools, "functionDeclarations").map((declaration) => ({
    name: textAt(declaration, "name"),
    kind: "function",
    parameters: field(declaration, "parametersJsonSchema") ?? field(declaration, "parameters"),
  }));
}

function readContent(content: unknown): readonly TalkItem[] {
  if (textAt(content, "role") === "model") return [];
  return listAt(content, "parts").flatMap(readPart);
}

function readPart(part: unknown): readonly TalkItem[] {
  const result = field(part, "functionResponse");
  if (result !== undefined) return [{ kind: "result", text: resultText(field(result, "response")) }];
  const text = field(part, "text");
  return typeof text === "string" ? [{ kind: "prompt", text }] : [];
}

/** The CLI wraps what a tool printed as `{output}` or `{error}`. */
function resultText(response: unknown): string {
  const plain = field(response, "output") ?? field(response, "error");
  return typeof plain === "string" ? plain : JSON.stringify(response ?? null);
}

function document(reply: Reply, request: ModelRequest): unknown {
  const parts = [...(reply.text === "" ? [] : [{ text: reply.text }]), ...callParts(reply)];
  return chunk(reply, request, { parts, isLast: true });
}

function events(reply: Reply, request: ModelRequest): readonly WireEvent[] {
  const texts: readonly (readonly unknown[])[] = pieces(reply.text).map((text) => [{ text }]);
  const groups = [...texts, ...(reply.calls.length > 0 ? [callParts(reply)] : [])];
  if (groups.length === 0) groups.push([{ text: "" }]);
  const last = groups.length - 1;
  return groups.map((parts, index) => ({
    data: JSON.stringify(chunk(reply, request, { parts, isLast: index === last })),
  }));
}

function callParts(reply: Reply): readonly unknown[] {
  return reply.calls.map((call) => ({
    functionCall: { id: call.id, name: call.tool.name, args: call.arguments },
  }));
}

function chunk(
  reply: Reply,
  request: ModelRequest,
  { parts, isLast }: { readonly parts: readonly unknown[]; readonly isLast: boolean },
): unknown {
  const content = { role: "model", parts };
  return {
    candidates: [{ content, index: 0, ...(isLast ? { finishReason: "STOP" } : {}) }],
    usageMetadata: useOf(reply, isLast),
    modelVersion: request.model,
    responseId: reply.id,
  };
}

/** Each chunk carries the use so far: what was read from the first on, what was written only with the last. */
function useOf({ usage }: Reply, isLast: boolean) {
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

function failure({ status, message, retryAfterSeconds }: Failure): unknown {
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
