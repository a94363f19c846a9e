import { Hono } from "hono";
import * as z from "zod";
import { exportJournal } from "../documents/journal-export.ts";
import { eventStream } from "../live/event-stream.ts";
import { perform } from "./actions.ts";
import { answerError, answerJson, answerProblem } from "./answers.ts";
import { readAppFile } from "./app-files.ts";
import { judgeRequest, type Door } from "./judge-request.ts";
import type { ProjectReader } from "./project.ts";
import { wholeNumber, word } from "./query.ts";
import { readBody } from "./read-body.ts";
import { reads } from "./reads.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Sessions } from "./sessions.ts";

export interface AppParts {
  readonly project: ProjectReader;
  readonly sessions: Sessions;
  readonly door: Door;
  /** The built app. */
  readonly assets: string;
  /** Aborted when the server goes: streams end then. */
  readonly closing: AbortSignal;
}

/** Streams at once; more than that many windows nobody has open. */
const MOST_STREAMS = 32;

/** All the dashboard answers: the door first, then what was asked for, then the app itself. */
export function createApp(parts: AppParts): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    const refusal = refuse(parts, context.req.raw);
    if (refusal === undefined) await next();
    else context.res = refusal;
    for (const [name, value] of Object.entries(securityHeaders))
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  });
  addStreams(app, parts);
  addReads(app, parts);
  addWrites(app, parts);
  app.all("/api/*", () => answerProblem(404, nothingThere));
  app.get("*", (context) => {
    const file = readAppFile(parts.assets, context.req.path);
    if (file === undefined) return answerProblem(404, nothingThere);
    return new Response(file.bytes, { headers: { ...file.headers } });
  });
  app.onError((error) => answerError(error));
  return app;
}

const nothingThere = {
  code: "NOT_FOUND",
  message: "There is nothing at this address.",
  recommendation: "Open the dashboard's first page.",
} as const;

function refuse({ sessions, door }: AppParts, request: Request): Response | undefined {
  const { headers, method, url } = request;
  const refusal = judgeRequest(
    {
      method,
      path: new URL(url).pathname,
      host: headers.get("host") ?? undefined,
      origin: headers.get("origin") ?? undefined,
      fetchSite: headers.get("sec-fetch-site") ?? undefined,
      hasSession: sessions.has(headers.get("cookie") ?? undefined),
    },
    door,
  );
  if (refusal === undefined) return undefined;
  return answerProblem(refusal.status, refusal, refusal.allow === undefined ? {} : { allow: refusal.allow });
}

function addReads(app: Hono, { project }: AppParts): void {
  for (const [path, read] of Object.entries(reads))
    app.get(path, async (context) => {
      const query = new URL(context.req.url).searchParams;
      const id = context.req.param("id") ?? "";
      return answerJson((await read(project, { id, query })) ?? null);
    });
}

function addStreams(app: Hono, { project, closing }: AppParts): void {
  let open = 0;
  app.get("/api/audit/export", (context) => {
    const query = new URL(context.req.url).searchParams;
    const question = { run: word(query, "run"), type: word(query, "type") };
    const headers = {
      "content-type": "application/x-ndjson; charset=utf-8",
      "content-disposition": 'attachment; filename="ambit-journal.jsonl"',
    };
    return new Response(exportJournal(project.reader(), question), { headers });
  });
  app.get("/api/events", (context) => {
    if (open >= MOST_STREAMS) return answerProblem(503, tooManyStreams);
    const query = new URL(context.req.url).searchParams;
    const resumed = new URLSearchParams({ after: context.req.header("last-event-id") ?? "" });
    const question = {
      after: wholeNumber(resumed, "after") ?? wholeNumber(query, "after"),
      run: word(query, "run"),
      nodes: word(query, "nodes") ?? word(query, "run"),
    };
    open += 1;
    const signal = AbortSignal.any([closing, context.req.raw.signal]);
    const stream = eventStream(project, question, { signal, onEnd: () => void (open -= 1) });
    return new Response(stream, { headers: streamHeaders });
  });
}

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "x-accel-buffering": "no",
} as const;

const tooManyStreams = {
  code: "TOO_MANY_STREAMS",
  message: `More than ${MOST_STREAMS} windows listen already.`,
  recommendation: "Close some of them.",
} as const;

const sessionSchema = z.strictObject({ token: z.string().max(200) });

function addWrites(app: Hono, { project, sessions }: AppParts): void {
  app.post("/api/session", async (context) => {
    const body = sessionSchema.safeParse(await readBody(context.req.raw));
    const cookie = body.success ? sessions.open(body.data.token) : undefined;
    if (cookie === undefined) return answerProblem(401, wrongToken);
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  });
  app.post("/api/actions", async (context) => {
    const { supervisor, host, tasksDir } = project.options;
    return answerJson(await perform({ supervisor, host, tasksDir }, await readBody(context.req.raw)));
  });
}

const wrongToken = {
  code: "TOKEN_REFUSED",
  message: "The token of this link is not the one of this dashboard.",
  recommendation: "Open the link that ambit dashboard printed last: each start has a new one.",
} as const;
