import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Allowed, findAllowed } from "./allowed-hosts.ts";
import type { FindProxy } from "./parent-proxy.ts";
import type { Service } from "./plan-relay.ts";
import { joinSockets, listenAt } from "./serve-service.ts";

export interface AllowedHosts extends Allowed {
  /** The proxy that this machine itself has to use for a host. */
  readonly findProxy: FindProxy;
  readonly onRefused: (asked: string) => void;
}

/** Serves an HTTP proxy that connects to the allowed hosts and refuses every other. It does not inspect the traffic. */
export async function serveHosts(allowed: AllowedHosts, file: string): Promise<Server> {
  const server = createServer((message, response) => forwardPlain(allowed, message, response));
  server.on("connect", (message, caller, head) =>
    openTunnel(allowed, { asked: message.url ?? "", caller, head }),
  );
  // A model may think for longer than Node's request timeout.
  server.requestTimeout = 0;
  await listenAt(server, file);
  return server;
}

interface Tunnel {
  readonly asked: string;
  readonly caller: Duplex;
  readonly head: Buffer;
}

function openTunnel(allowed: AllowedHosts, { asked, caller, head }: Tunnel): void {
  const { findProxy, onRefused } = allowed;
  caller.on("error", () => caller.destroy());
  const target = findAllowed(asked, allowed);
  if (target === undefined) {
    onRefused(asked);
    caller.end("HTTP/1.1 403 Not allowed in this network\r\nconnection: close\r\n\r\n");
    return;
  }
  const fail = (): void => void caller.end("HTTP/1.1 502 Bad gateway\r\nconnection: close\r\n\r\n");
  const join = (way: Socket): void => {
    way.off("error", fail);
    caller.write("HTTP/1.1 200 Connection established\r\n\r\n");
    way.write(head);
    joinSockets(caller, way);
  };
  const parent = findProxy(target.host);
  if (parent !== undefined) return askParent(parent, target, { join, fail });
  const way = connect({ ...target, allowHalfOpen: true }, () => join(way));
  way.once("error", fail);
}

interface Answers {
  readonly join: (way: Socket) => void;
  readonly fail: () => void;
}

function askParent(parent: URL, { host, port }: Service, { join, fail }: Answers): void {
  const outgoing = request({
    ...parentAddress(parent),
    method: "CONNECT",
    path: `${host}:${port}`,
    headers: { host: `${host}:${port}`, ...parentHeaders(parent) },
  });
  outgoing.once("error", fail);
  outgoing.once("response", fail);
  outgoing.once("connect", (answer, way) => {
    if (answer.statusCode === 200) join(way);
    else fail();
  });
  outgoing.end();
}

/** `GET http://host/path`, for addresses without encryption. */
function forwardPlain(allowed: AllowedHosts, message: IncomingMessage, response: ServerResponse): void {
  const { findProxy, onRefused } = allowed;
  const url = URL.canParse(message.url ?? "") ? new URL(message.url ?? "") : undefined;
  const asked = url === undefined ? "" : `${url.hostname}:${url.port || "80"}`;
  const target = url?.protocol === "http:" ? findAllowed(asked, allowed) : undefined;
  if (url === undefined || target === undefined) {
    onRefused(asked);
    response.writeHead(403, { connection: "close" }).end("Not allowed in this network.\n");
    return;
  }
  const parent = findProxy(target.host);
  const {
    "proxy-connection": _connection,
    "proxy-authorization": _authorization,
    ...headers
  } = message.headers;
  const outgoing = request({
    ...(parent === undefined ? target : parentAddress(parent)),
    method: message.method ?? "GET",
    path: parent === undefined ? `${url.pathname}${url.search}` : url.href,
    headers: { ...headers, ...(parent === undefined ? {} : parentHeaders(parent)) },
  });
  outgoing.once("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  outgoing.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  response.once("close", () => outgoing.destroy());
  message.pipe(outgoing);
}

function parentAddress({ hostname, port }: URL): Service {
  return { host: hostname, port: Number(port || "80") };
}

function parentHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` };
}
