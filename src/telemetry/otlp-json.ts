import { isDouble, type Attributes, type AttributeValue, type Span, type SpanEvent } from "./spans/span.ts";

/** Where spans and figures come from: the service, and the program that made them. */
export interface OtlpSource {
  readonly resource: Attributes;
  readonly version: string;
}

/** The version of the conventions that names and types follow; collectors translate from it. */
export const SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0";

/** The part of OTLP that is used here, in its JSON form; the binary form is made from it. */
export interface OtlpTraces {
  readonly resourceSpans: readonly [
    {
      readonly resource: { readonly attributes: readonly OtlpAttribute[] };
      readonly scopeSpans: readonly [
        {
          readonly scope: { readonly name: string; readonly version: string };
          readonly spans: readonly OtlpSpan[];
          readonly schemaUrl: string;
        },
      ];
      readonly schemaUrl: string;
    },
  ];
}

export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } };

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events: readonly OtlpEvent[];
  readonly status: { readonly code: number; readonly message?: string };
}

interface OtlpEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly OtlpAttribute[];
}

/** One request to a collector: ids in hexadecimal, 64-bit numbers as text, as OTLP asks for. */
export function tracesRequest(spans: readonly Span[], { resource, version }: OtlpSource): OtlpTraces {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributeList(resource) },
        scopeSpans: [
          { scope: { name: "ambit", version }, spans: spans.map(otlpSpan), schemaUrl: SCHEMA_URL },
        ],
        schemaUrl: SCHEMA_URL,
      },
    ],
  };
}

const INTERNAL = 1;
const UNSET = 0;
const ERROR = 2;

function otlpSpan(span: Span): OtlpSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: INTERNAL,
    startTimeUnixNano: toNanoseconds(span.startMs),
    endTimeUnixNano: toNanoseconds(span.endMs),
    attributes: attributeList(span.attributes),
    events: span.events.map(otlpEvent),
    status: span.error === null ? { code: UNSET } : { code: ERROR, message: span.error },
  };
}

function otlpEvent({ name, atMs, attributes }: SpanEvent): OtlpEvent {
  return { timeUnixNano: toNanoseconds(atMs), name, attributes: attributeList(attributes) };
}

export function toNanoseconds(atMs: number): string {
  return String(BigInt(Math.max(0, Math.round(atMs))) * 1_000_000n);
}

export function attributeList(attributes: Attributes): readonly OtlpAttribute[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(key, value) }));
}

function otlpValue(key: string, value: AttributeValue): OtlpValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return isDouble(key) ? { doubleValue: value } : { intValue: String(BigInt(Math.round(value))) };
  return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
}
