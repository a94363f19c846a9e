/** `chosenText` and `fixed` are sent even if they are empty or zero: they say which of several values was chosen. */
type Kind =
  | "text"
  | "chosenText"
  | "hex"
  | "enum"
  | "bool"
  | "integer"
  | "double"
  | "fixed"
  | "packed"
  | "packedDouble"
  | (() => Shape);

export interface Field {
  readonly number: number;
  readonly name: string;
  readonly kind: Kind;
}

/** The fields of one message, with the numbers that OTLP has published for them. */
export type Shape = readonly Field[];

function field(number: number, name: string, kind: Kind): Field {
  return { number, name, kind };
}

const anyValue: Shape = [
  field(1, "stringValue", "chosenText"),
  field(2, "boolValue", "bool"),
  field(3, "intValue", "integer"),
  field(4, "doubleValue", "double"),
  field(5, "arrayValue", () => [field(1, "values", () => anyValue)]),
];
const attribute: Shape = [field(1, "key", "text"), field(2, "value", () => anyValue)];
const resource: Shape = [field(1, "attributes", () => attribute)];
const scope: Shape = [field(1, "name", "text"), field(2, "version", "text")];

const event: Shape = [
  field(1, "timeUnixNano", "fixed"),
  field(2, "name", "text"),
  field(3, "attributes", () => attribute),
];
const status: Shape = [field(2, "message", "text"), field(3, "code", "enum")];
const span: Shape = [
  field(1, "traceId", "hex"),
  field(2, "spanId", "hex"),
  field(4, "parentSpanId", "hex"),
  field(5, "name", "text"),
  field(6, "kind", "enum"),
  field(7, "startTimeUnixNano", "fixed"),
  field(8, "endTimeUnixNano", "fixed"),
  field(9, "attributes", () => attribute),
  field(11, "events", () => event),
  field(15, "status", () => status),
];

const numberPoint: Shape = [
  field(2, "startTimeUnixNano", "fixed"),
  field(3, "timeUnixNano", "fixed"),
  field(4, "asDouble", "double"),
  field(6, "asInt", "fixed"),
  field(7, "attributes", () => attribute),
];
const histogramPoint: Shape = [
  field(2, "startTimeUnixNano", "fixed"),
  field(3, "timeUnixNano", "fixed"),
  field(4, "count", "fixed"),
  field(5, "sum", "double"),
  field(6, "bucketCounts", "packed"),
  field(7, "explicitBounds", "packedDouble"),
  field(9, "attributes", () => attribute),
];
const gauge: Shape = [field(1, "dataPoints", () => numberPoint)];
const sum: Shape = [...gauge, field(2, "aggregationTemporality", "enum"), field(3, "isMonotonic", "bool")];
const histogram: Shape = [
  field(1, "dataPoints", () => histogramPoint),
  field(2, "aggregationTemporality", "enum"),
];
const metric: Shape = [
  field(1, "name", "text"),
  field(2, "description", "text"),
  field(3, "unit", "text"),
  field(5, "gauge", () => gauge),
  field(7, "sum", () => sum),
  field(9, "histogram", () => histogram),
];

/** Both signals are a resource, its scopes, and the items of each, in fields of the same numbers. */
function signal(signalName: "Spans" | "Metrics", itemName: string, item: Shape): Shape {
  const scoped: Shape = [
    field(1, "scope", () => scope),
    field(2, itemName, () => item),
    field(3, "schemaUrl", "text"),
  ];
  const ofResource: Shape = [
    field(1, "resource", () => resource),
    field(2, `scope${signalName}`, () => scoped),
    field(3, "schemaUrl", "text"),
  ];
  return [field(1, `resource${signalName}`, () => ofResource)];
}

export const tracesShape: Shape = signal("Spans", "spans", span);
export const metricsShape: Shape = signal("Metrics", "metrics", metric);
