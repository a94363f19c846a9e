import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { systemClock, type Clock } from "../base/clock.ts";
import { randomBase36 } from "../base/ids.ts";
import type { UsageReport } from "../contract/usage.ts";
import { agentErrors } from "../errors/agents.ts";
import { forwardRequest, type Exchange, type Upstream } from "./metering/forward.ts";
import { meterExchange, type UsageListeners } from "./metering/meter-exchange.ts";
import { refuseRequest } from "./metering/refuse.ts";
import { Turnstile } from "./metering/turnstile.ts";
import { noteAnswer, waitForGate, type AccountGate } from "./metering/wait-for-gate.ts";

export type { AccountGate } from "./metering/wait-for-gate.ts";

export interface MeteringProxyOptions {
  /** The provider's base URL as the CLI expects it: `https://api.anthropic.com`, `https://api.openai.com/v1`. */
  readonly upstream: string;
  /** Reports with the same id are about the same request, and the larger one counts. */
  readonly onUsage: (report: UsageReport) => void;
  /** Called when the provider begins to answer, with an estimate; `onUsage` with the same id replaces it. */
  readonly onBegun?: (report: UsageReport) => void;
  /** Called before every request to the model; false once the budget is spent. A promise holds the request back. */
  readonly mayGo: () => boolean | Promise<boolean>;
  /** Shared by all workers on the same account. */
  readonly rateGate?: AccountGate;
  /** Concurrent requests to the model; the budget can be overdrawn by that many. */
  readonly atOnce?: number;
  /** The longest pause within an answer. */
  readonly idleTimeoutMs?: number;
  /** How long a request waits for an exhausted account before it is told to retry. */
  readonly maxHoldMs?: number;
  readonly clock?: Clock;
}

export interface MeteringProxy {
  /** Replaces the provider's base URL in the worker's CLI. It contains a secret. */
  readonly url: string;
  close(): Promise<void>;
}

interface Metering extends MeteringProxyOptions {
  readonly prefix: Buffer;
  readonly target: Upstream;
  readonly turnstile: Turnstile;
}

const SECRET_LENGTH = 32;
const TEN_MINUTES_MS = 10 * 60_000;
const ONE_MINUTE_MS = 60_000;

/**
 * A proxy on loopback between one worker and its provider. It passes bytes on unchanged, counts the usage they report,
 * and refuses requests to the model once the budget is spent. It stores no content.
 */
export async function startMeteringProxy(options: MeteringProxyOptions): Promise<MeteringProxy> {
  const secret = randomBase36(SECRET_LENGTH);
  const metering: Metering = {
    ...options,
    ...countedOrStopped(options),
    prefix: hashSecret(secret),
    target: {
      base: readUpstreamUrl(options.upstream),
      idleTimeoutMs: options.idleTimeoutMs ?? TEN_MINUTES_MS,
    },
    turnstile: new Turnstile(options.atOnce ?? 1),
  };
  const server = createServer((message, response) => {
    handleRequest(message, response, metering).catch(() => response.destroy());
  });
  // A model may think for longer than Node's request timeout.
  server.requestTimeout = 0;
  const port = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}/${secret}`, close: () => closeServer(server) };
}

/** After one failed report nothing more is let through, because usage that is not counted cannot be limited. */
function countedOrStopped({ onUsage, mayGo }: MeteringProxyOptions) {
  let isCounting = true;
  return {
    mayGo: async () => isCounting && (await mayGo()),
    onUsage: (report: UsageReport) => {
      try {
        onUsage(report);
      } catch {
        // An error thrown inside a stream would end the whole process; the refusals that follow report it.
        isCounting = false;
      }
    },
  };
}

function readUpstreamUrl(upstream: string): URL {
  const base = URL.canParse(upstream) ? new URL(upstream) : undefined;
  if (base !== undefined && ["http:", "https:"].includes(base.protocol)) return base;
  throw agentErrors.providerAddressInvalid(upstream);
}

async function handleRequest(
  message: IncomingMessage,
  response: ServerResponse,
  metering: Metering,
): Promise<void> {
  const path = pathBehindSecret(message.url ?? "", metering.prefix);
  if (path === undefined) {
    refuseRequest(response, "", { status: 404, message: "There is nothing here." });
    return;
  }
  const exchange = { message, response, path };
  if (isAboutModel(message.method, path)) await forwardMetered(exchange, metering);
  else await forwardUnmetered(exchange, metering);
}

function pathBehindSecret(url: string, prefix: Buffer): string | undefined {
  const end = url.indexOf("/", 1);
  const secret = url.slice(1, end < 0 ? url.length : end);
  return timingSafeEqual(hashSecret(secret), prefix) ? url.slice(1 + secret.length) : undefined;
}

/** Listing models and counting tokens is free; any other POST may cost money. */
function isAboutModel(method: string | undefined, path: string): boolean {
  const [bare = ""] = path.split("?", 1);
  return method === "POST" && !bare.endsWith("/count_tokens") && !bare.endsWith(":countTokens");
}

async function forwardMetered(exchange: Exchange, metering: Metering): Promise<void> {
  const { response } = exchange;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const leave = await metering.turnstile.enterTurnstile(gone.signal);
  if (leave === undefined) return;
  try {
    if (await mayForward(exchange, metering, gone.signal))
      await forwardUnmetered(exchange, metering, metering);
  } finally {
    leave();
  }
}

/** Checked after every wait, when the usage of earlier requests is known. */
async function mayForward(exchange: Exchange, metering: Metering, signal: AbortSignal): Promise<boolean> {
  const { response, path } = exchange;
  const gate = findGate(metering);
  const passage = gate === undefined ? undefined : await waitForGate(gate, signal);
  const mayGo = await metering.mayGo();
  if (signal.aborted) return false;
  if (!mayGo) {
    refuseRequest(response, path, {
      status: 402,
      message: "The budget of this task is used up. End your work now.",
    });
    return false;
  }
  if (passage?.kind !== "closed") return true;
  const retryAfterSeconds = Math.ceil(passage.forMs / 1000);
  refuseRequest(response, path, {
    status: 429,
    message: "Rate limit: the account is full.",
    retryAfterSeconds,
  });
  return false;
}

async function forwardUnmetered(
  exchange: Exchange,
  metering: Metering,
  listeners: UsageListeners = { onUsage: () => undefined },
): Promise<void> {
  const { watcher, settle } = meterExchange(exchange.message, listeners);
  const ending = await forwardRequest(metering.target, exchange, {
    ...watcher,
    onAnswer: (answer) => {
      const gate = findGate(metering);
      const facts = { status: answer.statusCode ?? 502, retryAfter: answer.headers["retry-after"] };
      if (gate !== undefined) noteAnswer(gate, facts);
      watcher.onAnswer(answer);
    },
  });
  await settle(ending);
  if (ending.kind !== "unreachable") return;
  const status = ending.isTimeout ? 504 : 502;
  refuseRequest(exchange.response, exchange.path, {
    status,
    message: `The provider did not answer: ${ending.reason}`,
  });
}

function findGate({ rateGate, clock, maxHoldMs }: Metering) {
  if (rateGate === undefined) return undefined;
  return { gate: rateGate, clock: clock ?? systemClock, longestMs: maxHoldMs ?? ONE_MINUTE_MS };
}

/** A hash has a fixed length, so a comparison does not reveal where two secrets differ. */
function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

async function listenOnLoopback(server: Server): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: "127.0.0.1", port: 0 }, resolve);
    });
  } catch (error) {
    throw agentErrors.proxyCannotListen(error);
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
