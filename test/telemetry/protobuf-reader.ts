/**
 * Reads OTLP's binary requests by the field numbers of its published messages, and gives its JSON form. Written
 * apart from what it checks: a table of numbers, and the wire format.
 */
export function decodeRequest(bytes: Uint8Array): unknown {
  return readMessage(bytes, request);
}

/** The same for figures. */
export function decodeMetrics(bytes: Uint8Array): unknown {
  return readMessage(bytes, metricsRequest);
}

type Kind =
  | "text"
  | "hex"
  | "enum"
  | "fixed64"
  | "int64"
  | "bool"
  | "double"
  | "fixed64s"
  | "doubles"
  | Shape;
interface Field {
  readonly name: string;
  readonly kind: Kind;
  readonly isList?: true;
}
type Shape = ReadonlyMap<number, Field>;

const list = (name: string, kind: Kind): Field => ({ name, kind, isList: true });
const one = (name: string, kind: Kind): Field => ({ name, kind });

const text: Shape = new Map([[1, one("stringValue", "text")]]);
const anyValue: Shape = new Map<number, Field>([
  [1, one("stringValue", "text")],
  [2, one("boolValue", "bool")],
  [3, one("intValue", "int64")],
  [4, one("doubleValue", "double")],
  [5, one("arrayValue", new Map([[1, list("values", text)]]))],
]);
const keyValue: Shape = new Map<number, Field>([
  [1, one("key", "text")],
  [2, one("value", anyValue)],
]);
const event: Shape = new Map<number, Field>([
  [1, one("timeUnixNano", "fixed64")],
  [2, one("name", "text")],
  [3, list("attributes", keyValue)],
]);
const status: Shape = new Map<number, Field>([
  [2, one("message", "text")],
  [3, one("code", "enum")],
]);
const span: Shape = new Map<number, Field>([
  [1, one("traceId", "hex")],
  [2, one("spanId", "hex")],
  [4, one("parentSpanId", "hex")],
  [5, one("name", "text")],
  [6, one("kind", "enum")],
  [7, one("startTimeUnixNano", "fixed64")],
  [8, one("endTimeUnixNano", "fixed64")],
  [9, list("attributes", keyValue)],
  [11, list("events", event)],
  [15, one("status", status)],
]);
const scope: Shape = new Map<number, Field>([
  [1, one("name", "text")],
  [2, one("version", "text")],
]);
const scopeSpans: Shape = new Map<number, Field>([
  [1, one("scope", scope)],
  [2, list("spans", span)],
  [3, one("schemaUrl", "text")],
]);
const resource: Shape = new Map([[1, list("attributes", keyValue)]]);
const resourceSpans: Shape = new Map<number, Field>([
  [1, one("resource", resource)],
  [2, list("scopeSpans", scopeSpans)],
  [3, one("schemaUrl", "text")],
]);
const request: Shape = new Map([[1, list("resourceSpans", resourceSpans)]]);

const numberPoint: Shape = new Map<number, Field>([
  [2, one("startTimeUnixNano", "fixed64")],
  [3, one("timeUnixNano", "fixed64")],
  [4, one("asDouble", "double")],
  [6, one("asInt", "fixed64")],
  [7, list("attributes", keyValue)],
]);
const histogramPoint: Shape = new Map<number, Field>([
  [2, one("startTimeUnixNano", "fixed64")],
  [3, one("timeUnixNano", "fixed64")],
  [4, one("count", "fixed64")],
  [5, one("sum", "double")],
  [6, one("bucketCounts", "fixed64s")],
  [7, one("explicitBounds", "doubles")],
  [9, list("attributes", keyValue)],
]);
const temporality = one("aggregationTemporality", "enum");
const metric: Shape = new Map<number, Field>([
  [1, one("name", "text")],
  [2, one("description", "text")],
  [3, one("unit", "text")],
  [5, one("gauge", new Map([[1, list("dataPoints", numberPoint)]]))],
  [
    7,
    one(
      "sum",
      new Map<number, Field>([
        [1, list("dataPoints", numberPoint)],
        [2, temporality],
        [3, one("isMonotonic", "bool")],
      ]),
    ),
  ],
  [
    9,
    one(
      "histogram",
      new Map<number, Field>([
        [1, list("dataPoints", histogramPoint)],
        [2, temporality],
      ]),
    ),
  ],
]);
const scopeMetrics: Shape = new Map<number, Field>([
  [1, one("scope", scope)],
  [2, list("metrics", metric)],
  [3, one("schemaUrl", "text")],
]);
const resourceMetrics: Shape = new Map<number, Field>([
  [1, one("resource", resource)],
  [2, list("scopeMetrics", scopeMetrics)],
  [3, one("schemaUrl", "text")],
]);
const metricsRequest: Shape = new Map([[1, list("resourceMetrics", resourceMetrics)]]);

/** What is not sent has its default: zero for an enumeration of a status, nothing in a list. */
function defaults(shape: Shape): Record<string, unknown> {
  const lists = [...shape.values()].filter(({ isList }) => isList === true).map(({ name }) => [name, []]);
  return { ...Object.fromEntries(lists), ...(shape === status ? { code: 0 } : {}) };
}

function readMessage(bytes: Uint8Array, shape: Shape): Record<string, unknown> {
  const buffer = Buffer.from(bytes);
  const found = defaults(shape);
  for (let at = 0; at < buffer.length;) {
    const tag = readVarint(buffer, at);
    const field = shape.get(Number(tag.value / 8n));
    if (field === undefined) throw new Error(`unknown field ${tag.value / 8n}`);
    const read = readValue(buffer, tag.end, { wire: Number(tag.value % 8n), kind: field.kind });
    at = read.end;
    const before = found[field.name];
    found[field.name] = field.isList === true && Array.isArray(before) ? [...before, read.value] : read.value;
  }
  return found;
}

interface Read {
  readonly value: unknown;
  readonly end: number;
}

function readValue(buffer: Buffer, at: number, { wire, kind }: { wire: number; kind: Kind }): Read {
  if (kind === "fixed64" && wire === 1) return { value: String(buffer.readBigUInt64LE(at)), end: at + 8 };
  if (kind === "double" && wire === 1) return { value: buffer.readDoubleLE(at), end: at + 8 };
  const number = readVarint(buffer, at);
  if (kind === "enum" && wire === 0) return { ...number, value: Number(number.value) };
  if (kind === "bool" && wire === 0) return { ...number, value: number.value === 1n };
  if (kind === "int64" && wire === 0) return { ...number, value: String(BigInt.asIntN(64, number.value)) };
  if (wire !== 2 || (typeof kind === "string" && !["text", "hex", "fixed64s", "doubles"].includes(kind)))
    throw new Error(`wire type ${wire} does not fit ${JSON.stringify(kind)}`);
  const end = number.end + Number(number.value);
  if (end > buffer.length) throw new Error("cut off");
  const content = buffer.subarray(number.end, end);
  if (kind === "fixed64s" || kind === "doubles") {
    const places = Array.from({ length: content.length / 8 }, (_, index) => index * 8);
    const values: readonly unknown[] = places.map((place) =>
      kind === "doubles" ? content.readDoubleLE(place) : String(content.readBigUInt64LE(place)),
    );
    return { value: values, end };
  }
  if (kind === "text" || kind === "hex")
    return { value: content.toString(kind === "text" ? "utf8" : "hex"), end };
  if (typeof kind === "string") throw new Error(`no message of kind ${kind}`);
  return { value: readMessage(content, kind), end };
}

function readVarint(buffer: Buffer, start: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let at = start, shift = 0n; ; at += 1, shift += 7n) {
    const byte = buffer.readUInt8(at);
    value += BigInt(byte % 128) << shift;
    if (byte < 128) return { value, end: at + 1 };
  }
}
