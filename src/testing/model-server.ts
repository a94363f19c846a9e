import { createServer, type Server } from "node:http";
import { systemClock } from "../base/clock.ts";
import { readErrorMessage } from "../base/delegation-error.ts";
import { testingErrors } from "../errors/testing.ts";
import { parseModelScripts, type ModelScriptsInput } from "./script/model-script.ts";
import { createRequestLog, type RecordedRequest } from "./serving/request-record.ts";
import { handleRequest, type Serving } from "./serving/handle-request.ts";
import { sendJson } from "./serving/send-answer.ts";

export interface ModelServerOptions {
  /** By name; a prompt selects one with `@@S:name`. */
  readonly scripts: ModelScriptsInput;
  /** A free port by default. */
  readonly port?: number;
  /** A file to which every request is written as a line of JSON. */
  readonly log?: string;
  /** Keep request bodies in `requests()`; a CLI sends its whole conversation each time. */
  readonly keepBodies?: boolean;
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>`, without `/v1`. */
  readonly url: string;
  /** All requests so far, in order. */
  requests(): readonly RecordedRequest[];
  close(): Promise<void>;
}

/**
 * A model that follows scripts, on loopback, for any CLI that speaks Anthropic Messages, OpenAI Responses, OpenAI
 * Chat Completions or Gemini.
 *
 * @example
 * const model = await startModelServer({ scripts: { hello: [{ write: { path: "a.txt", text: "hi" } }] } });
 * // run the agent with its base URL set to model.url and the prompt "Do it. @@S:hello"
 * await model.close();
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const closing = new AbortController();
  const log = createRequestLog({ file: options.log, clock: systemClock });
  const serving: Serving = {
    stage: { scripts: parseModelScripts(options.scripts), mayHappen: countOccurrences() },
    log,
    keepBodies: options.keepBodies ?? false,
    closing: closing.signal,
  };
  const server = createServer((message, response) => {
    handleRequest(message, response, serving).catch((error: unknown) => {
      if (response.headersSent) return response.socket?.destroy();
      return sendJson(response, 500, { error: { type: "api_error", message: readErrorMessage(error) } });
    });
  });
  const port = await listenOnLoopback(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    requests: log.all,
    close: () => {
      closing.abort();
      return closeServer(server);
    },
  };
}

function countOccurrences(): Serving["stage"]["mayHappen"] {
  const happened = new Map<string, number>();
  return (key, times) => {
    const before = happened.get(key) ?? 0;
    happened.set(key, before + 1);
    return times === undefined || before < times;
  };
}

async function listenOnLoopback(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: "127.0.0.1", port }, resolve);
    });
  } catch (error) {
    throw testingErrors.portTaken(port, error);
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
