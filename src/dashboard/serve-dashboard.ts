import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { DelegationError, messageOf } from "../base/delegation-error.ts";
import { createApp } from "./server/create-app.ts";
import { allDefences, type Defences } from "./server/judge-request.ts";
import { ProjectReader, type ProjectOptions } from "./server/project.ts";
import { Sessions } from "./server/sessions.ts";

export interface DashboardOptions extends ProjectOptions {
  /** The folder with the built app. */
  readonly assets: string;
  /** 127.0.0.1 when absent. */
  readonly address?: string;
  /** A free one when absent. */
  readonly port?: number;
  /** For tests that show what each defence is for. */
  readonly defences?: Partial<Defences>;
}

export interface DashboardServing {
  /** `http://127.0.0.1:4321` */
  readonly origin: string;
  /** With the token, for one person to open. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

/**
 * Serves the dashboard of one project until it is closed. It reads the store and never writes to it; what a person asks
 * for goes to the supervisor, as the commands do.
 */
export async function serveDashboard(options: DashboardOptions): Promise<DashboardServing> {
  const { address = LOOPBACK, assets } = options;
  const closing = new AbortController();
  const project = new ProjectReader(options);
  const defences = { ...allDefences, ...options.defences };
  // Until the port is known nobody can ask for anything.
  let answer: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({ fetch: (request: Request) => answer(request) });
  await listen(server, address, options.port ?? 0);
  const { port } = addressOf(server);
  const sessions = new Sessions(port);
  const hosts = hostsOf(address, port);
  const app = createApp({
    project,
    sessions,
    assets,
    door: { hosts, defences },
    closing: closing.signal,
  });
  answer = (request) => app.fetch(request);
  const [host = ""] = hosts;
  const origin = `http://${host}`;
  return {
    origin,
    url: `${origin}/#token=${sessions.token}`,
    port,
    token: sessions.token,
    close: async () => {
      closing.abort();
      const ended = new Promise<void>((resolve) => void server.close(() => resolve()));
      if ("closeAllConnections" in server) server.closeAllConnections();
      await ended;
      project.close();
    },
  };
}

/** As a browser writes them; the first is the one that is printed. */
function hostsOf(address: string, port: number): ReadonlySet<string> {
  const name = address.includes(":") ? `[${address}]` : address;
  const names = isLoopback(address) ? [name, "localhost"] : [name];
  return new Set(names.map((one) => `${one}:${port}`));
}

/** Whether only this machine can reach an address. */
export function isLoopback(address: string): boolean {
  return address === "::1" || address === "localhost" || /^127(?:\.\d{1,3}){3}$/.test(address);
}

type Server = ReturnType<typeof createAdaptorServer>;

function listen(server: Server, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(notListening(address, port, error)));
    server.listen(port, address, resolve);
  });
}

function addressOf(server: Server): AddressInfo {
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new TypeError("The server has no port.");
  return bound;
}

function notListening(address: string, port: number, cause: unknown): DelegationError {
  return new DelegationError({
    code: "USAGE",
    message: `The dashboard cannot listen at ${address}:${port}: ${messageOf(cause)}`,
    recommendation: "Leave --port out to have a free one chosen, and name an address of this machine.",
    cause,
  });
}
