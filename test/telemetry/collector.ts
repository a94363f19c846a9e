import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { decodeRequest } from "./protobuf-reader.ts";

const hex = (digits: number): z.ZodString => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const nanoseconds = z.string().regex(/^[1-9]\d{18}$/);
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({
    arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }),
  }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));

/** The JSON form of OTLP's ExportTraceServiceRequest, as its specification spells it; nothing else passes. */
const requestSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(
            z.strictObject({
              traceId: hex(32),
              spanId: hex(16),
              parentSpanId: hex(16).optional(),
              name: z.string().min(1),
              kind: z.int().min(1).max(5),
              startTimeUnixNano: nanoseconds,
              endTimeUnixNano: nanoseconds,
              attributes,
              events: z.array(
                z.strictObject({ timeUnixNano: nanoseconds, name: z.string().min(1), attributes }),
              ),
              status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type Received = z.infer<typeof requestSchema>;
export type ReceivedSpan = Received["resourceSpans"][number]["scopeSpans"][number]["spans"][number];

export interface Collector {
  readonly address: string;
  readonly requests: readonly Received[];
  readonly headers: readonly IncomingHttpHeaders[];
  readonly paths: readonly string[];
  readonly spans: () => readonly ReceivedSpan[];
  readonly span: (name: string) => ReceivedSpan;
}

type Answer = (response: ServerResponse) => void;

/** An OTLP receiver on a port of its own; what is not of the published shape is answered with 400 and fails the test. */
export async function startCollector(answer: Answer = accept): Promise<Collector> {
  const requests: Received[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      headers.push(request.headers);
      paths.push(request.url ?? "");
      const packed = Buffer.concat(parts);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(packed) : packed;
      const isJson = request.headers["content-type"] === "application/json";
      requests.push(requestSchema.parse(isJson ? JSON.parse(body.toString("utf8")) : decodeRequest(body)));
      answer(response);
    });
  });
  const address = await listen(server);
  const spans = (): readonly ReceivedSpan[] =>
    requests.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
  const span = (name: string): ReceivedSpan => {
    const found = spans().find((one) => one.name === name);
    if (found === undefined)
      throw new Error(
        `no span "${name}" among ${spans()
          .map((one) => one.name)
          .join(", ")}`,
      );
    return found;
  };
  return { address, requests, headers, paths, spans, span };
}

const accept: Answer = (response) => void response.writeHead(200).end("{}");

function listen(server: Server): Promise<string> {
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("no port");
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

/** One attribute of a span, as a plain value. */
export function attribute(span: ReceivedSpan, key: string): unknown {
  const found = span.attributes.find((one) => one.key === key)?.value;
  if (found === undefined) return undefined;
  if ("arrayValue" in found) return found.arrayValue.values.map(({ stringValue }) => stringValue);
  if ("intValue" in found) return Number(found.intValue);
  return Object.values(found)[0];
}
