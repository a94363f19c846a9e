import { Hono } from "hono";
import { compress } from "hono/compress";
import * as z from "zod";
import type { AppContext } from "../../app/use-case.ts";
import { performAction } from "../../app/perform-action.ts";
import type { ProjectViews } from "../../app/project-views.ts";
import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { explainUnexpectedFileTrouble } from "../../base/file-trouble.ts";
import type { Failure } from "../../app/view-types.ts";
import { dashboardErrors } from "../../errors/dashboard.ts";
import { readAppFile } from "./app-files.ts";
import { eventStream } from "./event-stream.ts";
import { judgeRequest, type Door } from "./judge-request.ts";
import { readNumber, readWord } from "./query.ts";
import { readLogQuestion, reads } from "./reads.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Sessions } from "./sessions.ts";
import { sanitizeDocument } from "./sanitize-text.ts";

export interface AppParts {
  readonly context: AppContext;
  readonly views: ProjectViews;
  readonly sessions: Sessions;
  readonly door: Door;
  /** The built app. */
  readonly assets: string;
  /** Aborted when the server closes, which ends every stream. */
  readonly closing: AbortSignal;
}

/** Open streams; each browser window has one. */
const MAX_STREAMS = 32;

const MAX_BYTES = 64 * 1024;

/** Everything the dashboard answers. Each request is judged first, then answered by the API or by a file of the app. */
export function createApp(parts: AppParts): Hono {
  const app = new Hono();
  app.use(compress());
  app.use(async (context, next) => {
    const refusal = refuseRequest(parts, context.req.raw);
    if (refusal === undefined) await next();
    else context.res = refusal;
    for (const [name, value] of Object.entries(securityHeaders))
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  });
  addStreams(app, parts);
  app.get("/metrics", async () => {
    const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    return new Response(await parts.views.readMetrics(), { headers });
  });
  addReads(app, parts);
  addWrites(app, parts);
  app.all("/api/*", () => answerProblem(404, nothingFound));
  app.get("*", (context) => {
    const file = readAppFile(parts.assets, context.req.path);
    if (file === undefined) return answerProblem(404, nothingFound);
    return new Response(file.bytes, { headers: { ...file.headers } });
  });
  app.onError((error) => answerError(error));
  return app;
}

const nothingFound = {
  code: "NOT_FOUND",
  message: "There is nothing at this address.",
  recommendation: "Open the dashboard's first page.",
} as const;

function refuseRequest({ sessions, door }: AppParts, request: Request): Response | undefined {
  const { headers, method, url } = request;
  const refusal = judgeRequest(
    {
      method,
      path: new URL(url).pathname,
      host: headers.get("host") ?? undefined,
      origin: headers.get("origin") ?? undefined,
      fetchSite: headers.get("sec-fetch-site") ?? undefined,
      hasSession: sessions.isSignedIn(headers.get("cookie") ?? undefined),
      hasMetricsKey: sessions.isMetricsKey(headers.get("authorization") ?? undefined),
    },
    door,
  );
  if (refusal === undefined) return undefined;
  return answerProblem(refusal.status, refusal, refusal.allow === undefined ? {} : { allow: refusal.allow });
}

function addReads(app: Hono, { views }: AppParts): void {
  for (const [path, read] of Object.entries(reads))
    app.get(path, async (context) => {
      const query = new URL(context.req.url).searchParams;
      const id = context.req.param("id") ?? "";
      return answerJson((await read(views, { id, query })) ?? null);
    });
}

function addStreams(app: Hono, { views, closing }: AppParts): void {
  let open = 0;
  app.get("/api/audit/export", (context) => {
    const query = new URL(context.req.url).searchParams;
    const question = { story: readWord(query, "run"), type: readWord(query, "type") };
    const headers = {
      "content-type": "application/x-ndjson; charset=utf-8",
      "content-disposition": 'attachment; filename="ambit-journal.jsonl"',
    };
    return new Response(views.exportJournal(question), { headers });
  });
  app.get("/api/delegations/:id/log/download", async (context) => {
    const question = readLogQuestion(new URL(context.req.url).searchParams);
    const headers = {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="ambit-${question.stream}.log"`,
    };
    return new Response(await views.downloadLog(context.req.param("id"), question), { headers });
  });
  app.get("/api/events", (context) => {
    if (open >= MAX_STREAMS) return answerProblem(503, tooManyStreams);
    const query = new URL(context.req.url).searchParams;
    const resumed = new URLSearchParams({ after: context.req.header("last-event-id") ?? "" });
    const question = {
      after: readNumber(resumed, "after") ?? readNumber(query, "after"),
      story: readWord(query, "run"),
      nodes: readWord(query, "nodes") ?? readWord(query, "run"),
    };
    open += 1;
    const signal = AbortSignal.any([closing, context.req.raw.signal]);
    const stream = eventStream(views, question, { signal, onEnd: () => void (open -= 1) });
    return new Response(stream, { headers: streamHeaders });
  });
}

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "x-accel-buffering": "no",
} as const;

const tooManyStreams = {
  code: "TOO_MANY_STREAMS",
  message: `${MAX_STREAMS} windows are open already.`,
  recommendation: "Close some of them.",
} as const;

const sessionSchema = z.strictObject({ token: z.string().max(200) });

function addWrites(app: Hono, { context: appContext, sessions }: AppParts): void {
  app.post("/api/session", async (context) => {
    const body = sessionSchema.safeParse(await readBody(context.req.raw));
    const cookie = body.success ? sessions.signIn(body.data.token) : undefined;
    if (cookie === undefined) return answerProblem(401, wrongToken);
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  });
  app.post("/api/actions", async (context) => {
    const action = await readBody(context.req.raw);
    return answerJson(await performAction(appContext, action));
  });
}

const wrongToken = {
  code: "TOKEN_REFUSED",
  message: "This link belongs to another start of the dashboard.",
  recommendation: "Open the link that ambit dashboard printed last; each start has a new one.",
} as const;

/** Every document leaves through here, so that every text in it is sanitized. */
function answerJson(document: unknown, status = 200): Response {
  return new Response(JSON.stringify(sanitizeDocument(document)), {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}

function answerProblem(
  status: number,
  problem: Failure["error"],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { code, message, recommendation } = problem;
  const answer = answerJson({ error: { code, message, recommendation } } satisfies Failure, status);
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

/** A thrown error as an answer; an unexpected one only carries its message. */
function answerError(thrown: unknown): Response {
  const error = explainUnexpectedFileTrouble(thrown) ?? thrown;
  if (error instanceof DelegationError) return answerProblem(chooseStatus(error.code), error);
  return answerProblem(500, {
    code: "INTERNAL",
    message: readErrorMessage(error),
    recommendation: "See the terminal in which ambit dashboard runs.",
  });
}

function chooseStatus(code: string): number {
  if (code.endsWith("_NOT_FOUND")) return 404;
  if (code === "USAGE") return 400;
  if (code === "BODY_TOO_LARGE") return 413;
  if (code === "BODY_TYPE_REFUSED") return 415;
  if (code.startsWith("SUPERVISOR_") || code.startsWith("STORE_")) return 503;
  return 409;
}

/** The JSON of a request. Only a page of ours can send this content type; the size is limited. */
async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (type.split(";", 1)[0]?.trim().toLowerCase() !== "application/json")
    throw dashboardErrors.wrongBodyType(type);
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw dashboardErrors.bodyNotJson(error);
  }
}

/** Counts bytes while it reads: the length a request claims is not trusted. */
async function readText(request: Request): Promise<string> {
  if (request.body === null) return "";
  const body: ReadableStream<Uint8Array> = request.body;
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(parts).toString("utf8");
    bytes += value.byteLength;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      throw dashboardErrors.bodyTooLarge(MAX_BYTES);
    }
    parts.push(value);
  }
}
