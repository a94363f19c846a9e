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
  /** Path and query as the provider shall see them, below the base. */
  readonly path: string;
}

export interface Watcher {
  /** The provider has begun to answer. */
  readonly onAnswer: (answer: IncomingMessage) => void;
  readonly onBytes: (bytes: Buffer) => void;
}

export type Ending =
  | { readonly kind: "complete" }
  /** Cut off after the answer had begun, by whichever side. */
  | { readonly kind: "broken" }
  /** The client went away before there was an answer. */
  | { readonly kind: "abandoned" }
  | { readonly kind: "unreachable"; readonly isTimeout: boolean; readonly reason: string };

/** Passes a request on and its answer back as the bytes come. Whoever goes away first ends it for the other, too. */
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
    // Not a pipeline: when the provider answers early the rest of the question may still be on its way.
    message.pipe(outgoing);
  });
}

function openUpstream({ base }: Upstream, { message, path }: Exchange): ClientRequest {
  const request = base.protocol === "https:" ? requestSecure : requestPlain;
  return request({
    hostname: base.hostname.replace(/^\[|\]$/g, ""),
    ...(base.port === "" ? {} : { port: base.port }),
    // A connection of its own: one that was kept may be closed by the provider in the moment it is used again.
    agent: false,
    method: message.method ?? "POST",
    path: withoutLastSlash(base.pathname) + path,
    headers: ["host", base.host, "accept-encoding", "identity", ...filterHeaders(message.rawHeaders, OURS)],
  });
}

function withoutLastSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Headers that speak about one connection only. */
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
/** Plain answers can be read on the way; they are what the client understands in any case. */
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
