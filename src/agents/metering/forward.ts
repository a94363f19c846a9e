import {
  request as requestPlain,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { request as requestSecure } from "node:https";
import { pipeline } from "node:stream";

export interface Upstream {
  readonly base: URL;
  readonly idleTimeoutMs: number;
}

export interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** Path and query for the provider, below the base URL. */
  readonly path: string;
}

export interface Watcher {
  /** The provider has begun to answer. */
  readonly onAnswer: (answer: IncomingMessage) => void;
  readonly onBytes: (bytes: Buffer) => void;
}

export type Ending =
  | { readonly kind: "complete" }
  /** One side cut the connection after the answer had begun. */
  | { readonly kind: "broken" }
  /** The client went away before there was an answer. */
  | { readonly kind: "abandoned" }
  | { readonly kind: "unreachable"; readonly isTimeout: boolean; readonly reason: string };

/** Streams a request to the provider and its answer back. If one side disconnects, the other is disconnected, too. */
export function forwardRequest(upstream: Upstream, exchange: Exchange, watcher: Watcher): Promise<Ending> {
  const { message, response } = exchange;
  return new Promise((resolve) => {
    const outgoing = openUpstream(upstream, exchange);
    let isTimeout = false;
    outgoing.setTimeout(upstream.idleTimeoutMs, () => {
      isTimeout = true;
      outgoing.destroy(new Error(`nothing came for ${upstream.idleTimeoutMs} ms`));
    });
    const leave = (): void => void outgoing.destroy();
    response.once("close", leave);
    outgoing.on("error", (error) => {
      if (response.headersSent) return void response.destroy();
      if (response.destroyed) return resolve({ kind: "abandoned" });
      response.off("close", leave);
      return resolve({ kind: "unreachable", isTimeout, reason: error.message });
    });
    outgoing.on("response", (answer) => {
      watcher.onAnswer(answer);
      answer.on("data", watcher.onBytes);
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, filterHeaders(answer.rawHeaders));
      response.flushHeaders();
      pipeline(answer, response, (error) =>
        resolve({ kind: error === undefined || error === null ? "complete" : "broken" }),
      );
    });
    // Not a pipeline: if the provider answers early, the rest of the request may still be on its way.
    message.pipe(outgoing);
  });
}

function openUpstream({ base }: Upstream, { message, path }: Exchange): ClientRequest {
  const request = base.protocol === "https:" ? requestSecure : requestPlain;
  return request({
    hostname: base.hostname.replace(/^\[|\]$/g, ""),
    ...(base.port === "" ? {} : { port: base.port }),
    // A new connection: the provider may close a kept one at the moment it is reused.
    agent: false,
    method: message.method ?? "POST",
    path: withoutLastSlash(base.pathname) + path,
    headers: ["host", base.host, "accept-encoding", "identity", ...filterHeaders(message.rawHeaders, OURS)],
  });
}

function withoutLastSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Headers that concern a single connection. */
const PER_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);
/** Uncompressed answers can be metered, and every client understands them. */
const OURS = new Set(["host", "accept-encoding"]);

function filterHeaders(
  rawHeaders: readonly string[],
  alsoWithout: ReadonlySet<string> = new Set(),
): string[] {
  const headers: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const isLeftOut = PER_CONNECTION.has(name.toLowerCase()) || alsoWithout.has(name.toLowerCase());
    if (!isLeftOut) headers.push(name, rawHeaders[index + 1] ?? "");
  }
  return headers;
}
