import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Failure, ModelRequest, Reply, WireApi, WireEvent } from "../apis/wire-api.ts";

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

export function sendFailure(response: ServerResponse, api: WireApi, failure: Failure): void {
  if (failure.retryAfterSeconds !== undefined) response.setHeader("retry-after", failure.retryAfterSeconds);
  sendJson(response, failure.status, api.failure(failure));
}

export interface Answer {
  readonly api: WireApi;
  readonly request: ModelRequest;
  readonly reply: Reply;
  readonly cutAfter?: number | null | undefined;
}

/** Sends the reply in the requested form, or only its first part. */
export async function sendReply(response: ServerResponse, answer: Answer): Promise<void> {
  const { api, request, reply } = answer;
  if (request.stream && request.asArray !== true) return sendEvents(response, answer);
  const document = request.stream
    ? `[${api
        .events(reply, request)
        .map(({ data }) => data)
        .join(",\n")}]`
    : JSON.stringify(api.document(reply, request));
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(document),
  });
  if (answer.cutAfter === undefined) return void response.end(document);
  return breakConnection(response, document.slice(0, document.length / 2));
}

async function sendEvents(response: ServerResponse, answer: Answer): Promise<void> {
  const events = answer.api.events(answer.reply, answer.request);
  const { cutAfter } = answer;
  const sent = cutAfter === undefined ? events.length : (cutAfter ?? Math.ceil(events.length / 2));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const text = events.slice(0, sent).map(renderEvent).join("");
  if (cutAfter === undefined) return void response.end(text);
  return breakConnection(response, text);
}

function renderEvent({ name, data }: WireEvent): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${data}\n\n`;
}

/** Fails like a provider that crashes: the sent part arrives, the end never does. */
async function breakConnection(response: ServerResponse, text: string): Promise<void> {
  if (text === "") response.flushHeaders();
  else await new Promise<void>((resolve) => response.write(text, () => resolve()));
  response.socket?.destroySoon();
}

/** Ends early if the client disconnects or the server closes. */
export async function waitBeforeAnswer(delayMs: number, signal: AbortSignal): Promise<boolean> {
  if (delayMs === 0) return !signal.aborted;
  try {
    await delay(delayMs, undefined, { signal });
    return true;
  } catch {
    // The client has disconnected, or the server closes.
    return false;
  }
}
