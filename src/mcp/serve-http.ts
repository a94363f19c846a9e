import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { createServer } from "./server/create-server.ts";
import { isSameSecret } from "../base/same-secret.ts";
import { openRuntimeLink, type LinkOptions } from "../app/runtime-link.ts";

export interface HttpOptions extends Omit<LinkOptions, "clientName"> {
  /** 0 takes a free one. */
  readonly port: number;
  /** The bearer token that clients must send. */
  readonly secret: string;
  readonly log: (line: string) => void;
}

export interface HttpServing {
  readonly url: string;
  close(): Promise<void>;
}

const ADDRESS = "127.0.0.1";
const PATH = "/mcp";

/** Serves clients of this machine over streamable HTTP: the same tools, behind a token. */
export async function serveOverHttp(options: HttpOptions): Promise<HttpServing> {
  let client = "";
  const link = openRuntimeLink({ ...options, clientName: () => client });
  const handler = createMcpHandler(() =>
    createServer({ link, version: options.version, onClient: (name) => (client = name) }),
  );
  const answer = async (request: Request): Promise<Response> =>
    refuseRequest(request, options.secret) ?? handler.fetch(request);
  const server = createHttpServer((incoming, outgoing) => {
    void serveRequest(incoming, outgoing, answer).catch((error: unknown) => {
      options.log(error instanceof Error ? error.message : String(error));
      outgoing.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, ADDRESS, resolve);
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : options.port;
  return {
    url: `http://${ADDRESS}:${port}${PATH}`,
    close: async () => {
      link.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A page in a browser can send requests to any port of this machine, so host, origin and token are all checked. */
function refuseRequest(request: Request, secret: string): Response | undefined {
  const named =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  if (named !== undefined) return named;
  const given = request.headers.get("authorization") ?? "";
  if (!given.startsWith(BEARER) || !isSameSecret(given.slice(BEARER.length), secret))
    return new Response("A bearer token is needed.", {
      status: 401,
      headers: { "www-authenticate": "Bearer" },
    });
  return new URL(request.url).pathname === PATH ? undefined : new Response("Not found", { status: 404 });
}

const BEARER = "Bearer ";

/** Converts Node's request to a web request, and streams the answer back. */
async function serveRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const response = await answer(buildRequest(incoming, gone.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void outgoing.end();
  try {
    await pipeline(Readable.from(readPieces(response.body)), outgoing);
  } catch (error) {
    // A client that has gone needs no answer.
    if (!gone.signal.aborted) throw error;
  }
}

async function* readPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function buildRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", url = "/", headers: given } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, `http://${given.host ?? ADDRESS}`), {
    method,
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: "half" } : {}),
  });
}
