import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { readMetricsKey } from "../app/metrics-key.ts";
import { ProjectViews, type ProjectViewsOptions } from "../app/project-views.ts";
import { dashboardErrors } from "../errors/dashboard.ts";
import { createApp } from "./server/create-app.ts";
import { allDefences, type Defences } from "./server/judge-request.ts";
import { Sessions } from "./server/sessions.ts";

export interface DashboardOptions extends ProjectViewsOptions {
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
 * Serves the dashboard of one project until it is closed. It reads the store and never writes to it; a person's actions
 * go to the supervisor, as those of the commands do.
 */
export async function serveDashboard(options: DashboardOptions): Promise<DashboardServing> {
  const { address = LOOPBACK, assets, context, tasksDir } = options;
  const closing = new AbortController();
  const views = new ProjectViews({ context, tasksDir });
  const defences = { ...allDefences, ...options.defences };
  // Requests are judged by the port as well, so none is answered before the port is known.
  let answer: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({ fetch: (request: Request) => answer(request) });
  await startListening(server, address, options.port ?? 0);
  const { port } = readAddress(server);
  const sessions = new Sessions(port, readMetricsKey(context.directory));
  const hosts = listHosts(address, port);
  const app = createApp({
    context,
    views,
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
      views.close();
    },
  };
}

/** As a browser writes them; the first is the one that is printed. */
function listHosts(address: string, port: number): ReadonlySet<string> {
  const name = address.includes(":") ? `[${address}]` : address;
  const names = isLoopback(address) ? [name, "localhost"] : [name];
  return new Set(names.map((one) => `${one}:${port}`));
}

/** Whether only this machine can reach an address. */
export function isLoopback(address: string): boolean {
  return address === "::1" || address === "localhost" || /^127(?:\.\d{1,3}){3}$/.test(address);
}

type Server = ReturnType<typeof createAdaptorServer>;

function startListening(server: Server, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(dashboardErrors.cannotListen(`${address}:${port}`, error)));
    server.listen(port, address, resolve);
  });
}

function readAddress(server: Server): AddressInfo {
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new TypeError("The server has no port.");
  return bound;
}
