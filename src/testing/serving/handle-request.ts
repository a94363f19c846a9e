import type { IncomingMessage, ServerResponse } from "node:http";
import { randomBase36 } from "../../base/ids.ts";
import type { ModelRequest, Reply, WireApi } from "../apis/wire-api.ts";
import { buildFullName } from "../playing/find-tool.ts";
import { type Play, playRequest, type Stage } from "../playing/play-request.ts";
import { anthropicApi } from "../apis/anthropic.ts";
import { chatApi } from "../apis/chat.ts";
import { geminiApi, geminiTarget } from "../apis/gemini.ts";
import { responsesApi } from "../apis/responses.ts";
import type { RecordedRequest, RequestLog } from "./request-record.ts";
import { readBody } from "./read-body.ts";
import { sendFailure, sendJson, sendReply, waitBeforeAnswer } from "./send-answer.ts";

export interface Serving {
  readonly stage: Stage;
  readonly log: RequestLog;
  readonly keepBodies: boolean;
  /** Aborted when the server closes, which gives up delayed answers. */
  readonly closing: AbortSignal;
}

interface Exchange {
  readonly url: URL;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly note: (found: Pick<RecordedRequest, "kind" | "status"> & Partial<RecordedRequest>) => void;
}

const TOKENS_PER_BYTE = 0.25;

/** Unique names, so that no CLI applies the limits and prices of a model it knows. */
const MODEL_NAMES = ["mock-1", "mock-2"];

/** Answers and records one HTTP request, with or without a script. */
export async function handleRequest(
  message: IncomingMessage,
  response: ServerResponse,
  serving: Serving,
): Promise<void> {
  const url = new URL(message.url ?? "/", "http://127.0.0.1");
  const method = message.method ?? "GET";
  const body = await readBody(message);
  const seen = { method, path: url.pathname, bytes: body.kind === "json" ? body.bytes : 0 };
  const note: Exchange["note"] = (found) => serving.log.add({ ...seen, ...found });
  const route = findRoute(method, url.pathname);
  if (route.kind === "hello") {
    note({ kind: "hello", status: 200 });
    return sendJson(response, 200, { ok: true });
  }
  if (body.kind === "refused") {
    note({ kind: "refused", status: body.status, problem: body.why });
    return sendFailure(response, route.api, { status: body.status, message: body.why });
  }
  const exchange = { url, message, response, note };
  switch (route.kind) {
    case "answer":
      return answerModelRequest(exchange, { api: route.api, body: body.value, serving });
    case "count":
      note({ kind: "count", status: 200 });
      return sendJson(response, 200, estimateTokens(body.bytes));
    case "models":
      note({ kind: "models", status: 200 });
      return sendJson(
        response,
        200,
        url.pathname.startsWith("/v1beta/") ? geminiModelList() : openModelList(),
      );
    case "unknown":
      note({ kind: "unknown", status: 404 });
      return sendFailure(response, route.api, {
        status: 404,
        message: `There is nothing at ${url.pathname}.`,
      });
  }
}

/** Has the fields of both APIs; each client ignores the other's. */
function estimateTokens(bytes: number): unknown {
  const tokens = Math.ceil(bytes * TOKENS_PER_BYTE);
  return { input_tokens: tokens, totalTokens: tokens };
}

interface Asked {
  readonly api: WireApi;
  readonly body: unknown;
  readonly serving: Serving;
}

async function answerModelRequest(exchange: Exchange, { api, body, serving }: Asked): Promise<void> {
  const { response } = exchange;
  const request = api.read(body, exchange.url);
  const play = playRequest(request, serving.stage);
  exchange.note({ ...describeExchange(request, play), ...(serving.keepBodies ? { body } : {}) });
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  if (!(await waitBeforeAnswer(play.delayMs, AbortSignal.any([gone.signal, serving.closing])))) {
    response.socket?.destroy();
    return;
  }
  if (play.failure !== undefined) return sendFailure(response, api, play.failure);
  await sendReply(response, { api, request, reply: buildReply(play), cutAfter: play.cutAfter });
}

function describeExchange(request: ModelRequest, play: Play) {
  const { planned, script, turn, step } = play;
  const lastResult = request.talk.findLast(({ kind }) => kind === "result")?.text;
  return {
    kind: script === undefined ? ("side" as const) : ("scripted" as const),
    status: play.failure?.status ?? 200,
    api: request.api,
    model: request.model,
    stream: request.stream,
    tools: request.tools.map(buildFullName),
    ...(script === undefined ? {} : { script }),
    ...(turn === undefined ? {} : { turn }),
    ...(step === undefined ? {} : { step }),
    ...(play.failure === undefined ? { usage: play.usage } : {}),
    ...(play.cutAfter === undefined ? {} : { cut: true }),
    calls: play.failure === undefined ? planned.calls.map(({ tool }) => buildFullName(tool)) : [],
    text: planned.text,
    ...(lastResult === undefined ? {} : { lastResult: lastResult.slice(0, MAX_RESULT_LENGTH) }),
    ...(planned.problem === undefined ? {} : { problem: planned.problem }),
  };
}

const MAX_RESULT_LENGTH = 2000;
const ID_LENGTH = 16;

function buildReply({ planned, usage }: Play): Reply {
  return {
    id: randomBase36(ID_LENGTH),
    text: planned.text,
    calls: planned.calls.map((call) => ({ ...call, id: randomBase36(ID_LENGTH) })),
    usage,
  };
}

type Route =
  | { readonly kind: "answer" | "count"; readonly api: WireApi }
  | { readonly kind: "models"; readonly api: WireApi }
  | { readonly kind: "hello" }
  | { readonly kind: "unknown"; readonly api: WireApi };

/** CLIs use base URLs with and without `/v1`, so only the end of the path decides. */
function findRoute(method: string, path: string): Route {
  if (method === "HEAD" || path === "/") return { kind: "hello" };
  if (method === "GET") return findModelsRoute(path);
  if (method !== "POST") return { kind: "unknown", api: responsesApi };
  if (path.endsWith("/messages")) return { kind: "answer", api: anthropicApi };
  if (path.endsWith("/messages/count_tokens")) return { kind: "count", api: anthropicApi };
  if (path.endsWith("/chat/completions")) return { kind: "answer", api: chatApi };
  if (path.endsWith("/responses")) return { kind: "answer", api: responsesApi };
  const target = geminiTarget(path);
  if (target === undefined) return { kind: "unknown", api: responsesApi };
  if (["generateContent", "streamGenerateContent"].includes(target.action))
    return { kind: "answer", api: geminiApi };
  return { kind: target.action === "countTokens" ? "count" : "unknown", api: geminiApi };
}

function findModelsRoute(path: string): Route {
  const isGemini = path.startsWith("/v1beta/");
  const isList = path.endsWith("/models") || path.includes("/models/");
  return { kind: isList ? "models" : "unknown", api: isGemini ? geminiApi : responsesApi };
}

/** `/v1/models`: the lists of OpenAI and Anthropic in one. */
function openModelList(): unknown {
  return {
    object: "list",
    data: MODEL_NAMES.map((id) => ({
      id,
      object: "model",
      type: "model",
      created: 0,
      created_at: "1970-01-01T00:00:00Z",
      owned_by: "ambit",
      display_name: id,
    })),
    has_more: false,
    first_id: MODEL_NAMES[0],
    last_id: MODEL_NAMES.at(-1),
  };
}

/** `/v1beta/models`. */
function geminiModelList(): unknown {
  return {
    models: MODEL_NAMES.map((name) => ({
      name: `models/${name}`,
      displayName: name,
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ["generateContent", "countTokens"],
    })),
  };
}
