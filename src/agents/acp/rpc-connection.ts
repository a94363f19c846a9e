import type { Readable, Writable } from "node:stream";
import * as z from "zod";
import { LineReader, type ReadLine } from "./line-reader.ts";

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** How our request ended. Failures are values, because agents fail often. */
export type RpcAnswer =
  | { readonly kind: "result"; readonly value: unknown }
  | { readonly kind: "error"; readonly error: RpcError }
  | { readonly kind: "late"; readonly afterMs: number }
  | { readonly kind: "closed" };

export interface PeerHandlers {
  /** Answers the agent's request; undefined for an unknown one. */
  readonly onRequest: (method: string, parameters: unknown) => object | undefined;
  readonly onNotification: (method: string, parameters: unknown) => void;
  /** A line that is not a message, or too long to read; the connection continues. */
  readonly onGarbage: (line: ReadLine) => void;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

const envelopeSchema = z.looseObject({
  id: z.union([z.number(), z.string()]).nullish(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z
    .looseObject({
      code: z.number().catch(INTERNAL_ERROR),
      message: z.string().catch("no message"),
      data: z.unknown().optional(),
    })
    .nullish(),
});

type Id = number | string;

type Incoming =
  | { readonly kind: "request"; readonly id: Id; readonly method: string; readonly parameters: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly parameters: unknown }
  | { readonly kind: "answer"; readonly id: Id; readonly answer: RpcAnswer };

/** JSON-RPC 2.0 with one message per line, in both directions, as agents speak it on their standard streams. */
export class RpcConnection {
  readonly #input: Writable;
  readonly #handlers: PeerHandlers;
  readonly #waiting = new Map<Id, (answer: RpcAnswer) => void>();
  #nextId = 0;
  #isClosed = false;

  constructor(streams: { readonly input: Writable; readonly output: Readable }, handlers: PeerHandlers) {
    this.#input = streams.input;
    this.#handlers = handlers;
    const lines = new LineReader((line) => this.#readMessage(line));
    streams.output.on("data", (chunk: Buffer) => lines.pushChunk(chunk));
    streams.output.on("end", () => {
      lines.flushLastLine();
      this.closeConnection();
    });
    streams.output.on("error", () => this.closeConnection());
    // The agent may exit before it has read everything; its exit tells more than this error.
    streams.input.on("error", () => undefined);
  }

  /** Without a deadline the caller must limit the wait. */
  sendRequest(method: string, parameters: object, deadlineMs?: number): Promise<RpcAnswer> {
    if (this.#isClosed) return Promise.resolve({ kind: "closed" });
    const ownId = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      const timer =
        deadlineMs === undefined
          ? undefined
          : setTimeout(() => this.#settleRequest(ownId, { kind: "late", afterMs: deadlineMs }), deadlineMs);
      this.#waiting.set(ownId, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.#sendMessage({ id: ownId, method, params: parameters });
    });
  }

  sendNotification(method: string, parameters: object): void {
    this.#sendMessage({ method, params: parameters });
  }

  /** Settles all pending requests as closed; nothing is sent or read after this. */
  closeConnection(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const waiting of this.#waiting.keys()) this.#settleRequest(waiting, { kind: "closed" });
  }

  #sendMessage(message: object): void {
    if (this.#isClosed || !this.#input.writable) return;
    this.#input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #readMessage(line: ReadLine): void {
    if (this.#isClosed) return;
    const message = line.kind === "line" ? parseMessage(line.text) : undefined;
    if (message === undefined) this.#handlers.onGarbage(line);
    else if (message.kind === "answer") this.#settleRequest(message.id, message.answer);
    else if (message.kind === "notification")
      this.#handlers.onNotification(message.method, message.parameters);
    else this.#answerRequest(message);
  }

  #answerRequest({ id, method, parameters }: Incoming & { readonly kind: "request" }): void {
    const result = this.#handlers.onRequest(method, parameters);
    if (result !== undefined) this.#sendMessage({ id, result });
    else this.#sendMessage({ id, error: { code: METHOD_NOT_FOUND, message: `${method} is not known here` } });
  }

  #settleRequest(waiting: Id, answer: RpcAnswer): void {
    const resolve = this.#waiting.get(waiting);
    this.#waiting.delete(waiting);
    resolve?.(answer);
  }
}

function parseMessage(text: string): Incoming | undefined {
  try {
    const parsed = envelopeSchema.safeParse(JSON.parse(text));
    return parsed.success ? classifyMessage(parsed.data) : undefined;
  } catch {
    // Not JSON: usually a log line on the wrong stream.
    return undefined;
  }
}

function classifyMessage(envelope: z.infer<typeof envelopeSchema>): Incoming | undefined {
  const { id, method, params: parameters, result, error } = envelope;
  const isAsked = id !== undefined && id !== null;
  if (method !== undefined)
    return isAsked
      ? { kind: "request", id, method, parameters }
      : { kind: "notification", method, parameters };
  if (!isAsked) return undefined;
  const hasFailed = error !== undefined && error !== null;
  return {
    kind: "answer",
    id,
    answer: hasFailed ? { kind: "error", error } : { kind: "result", value: result },
  };
}
