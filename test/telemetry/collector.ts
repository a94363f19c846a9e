import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { decodeMetrics, decodeRequest } from "./protobuf-reader.ts";

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
const scope = z.strictObject({ name: z.string(), version: z.string() });
const schemaUrl = z.string().regex(/^https:\/\/opentelemetry\.io\/schemas\/\d+\.\d+\.\d+$/);

/** The JSON form of OTLP's ExportTraceServiceRequest, as its specification spells it; nothing else passes. */
const requestSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      schemaUrl,
      scopeSpans: z.array(
        z.strictObject({
          scope,
          schemaUrl,
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

const whole = z.string().regex(/^\d+$/);
const times = { startTimeUnixNano: nanoseconds, timeUnixNano: nanoseconds };
const numberPoints = z
  .array(
    z.union([
      z.strictObject({ ...times, attributes, asInt: whole }),
      z.strictObject({ ...times, attributes, asDouble: z.number() }),
    ]),
  )
  .min(1);
const histogramPoints = z.array(
  z.strictObject({
    ...times,
    attributes,
    count: whole,
    sum: z.number(),
    bucketCounts: z.array(whole),
    explicitBounds: z.array(z.number()),
  }),
);
const aggregationTemporality = z.literal(2);
const described = { name: z.string().min(1), description: z.string().min(1), unit: z.string().min(1) };

/** The JSON form of OTLP's ExportMetricsServiceRequest. */
const metricsSchema = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      schemaUrl,
      scopeMetrics: z.array(
        z.strictObject({
          scope,
          schemaUrl,
          metrics: z.array(
            z.union([
              z.strictObject({ ...described, gauge: z.strictObject({ dataPoints: numberPoints }) }),
              z.strictObject({
                ...described,
                sum: z.strictObject({
                  dataPoints: numberPoints,
                  aggregationTemporality,
                  isMonotonic: z.literal(true),
                }),
              }),
              z.strictObject({
                ...described,
                histogram: z.strictObject({ dataPoints: histogramPoints, aggregationTemporality }),
              }),
            ]),
          ),
        }),
      ),
    }),
  ),
});

export type Received = z.infer<typeof requestSchema>;
export type ReceivedMetrics = z.infer<typeof metricsSchema>;
export type ReceivedMetric =
  ReceivedMetrics["resourceMetrics"][number]["scopeMetrics"][number]["metrics"][number];
export type ReceivedSpan = Received["resourceSpans"][number]["scopeSpans"][number]["spans"][number];

export interface Collector {
  readonly address: string;
  readonly requests: readonly Received[];
  readonly headers: readonly IncomingHttpHeaders[];
  readonly paths: readonly string[];
  readonly metricRequests: readonly ReceivedMetrics[];
  readonly spans: () => readonly ReceivedSpan[];
  readonly span: (name: string) => ReceivedSpan;
}

type Answer = (response: ServerResponse) => void;

/** An OTLP receiver on a port of its own; what is not of the published shape is answered with 400 and fails the test. */
export async function startCollector(answer: Answer = accept): Promise<Collector> {
  const requests: Received[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  const metricRequests: ReceivedMetrics[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const path = request.url ?? "";
      headers.push(request.headers);
      paths.push(path);
      const packed = Buffer.concat(parts);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(packed) : packed;
      const isJson = request.headers["content-type"] === "application/json";
      const document: unknown = isJson
        ? JSON.parse(body.toString("utf8"))
        : path.endsWith("/metrics")
          ? decodeMetrics(body)
          : decodeRequest(body);
      if (path.endsWith("/metrics")) metricRequests.push(metricsSchema.parse(document));
      else requests.push(requestSchema.parse(document));
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
  return { address, requests, headers, paths, metricRequests, spans, span };
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
