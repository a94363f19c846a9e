/** Values as OTLP knows them. The name of a number decides its type, never its value; see `isDouble`. */
export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface SpanEvent {
  readonly name: string;
  readonly atMs: number;
  readonly attributes: Attributes;
}

/** One finished piece of work. Times are whole milliseconds since 1970, which is what the journal knows. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** The kind of error in one word; null without an error. */
  readonly error: string | null;
}

/** Omits unknown values. */
export function omitUnknown(
  values: Readonly<Record<string, AttributeValue | null | undefined>>,
): Readonly<Record<string, AttributeValue>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null || value === undefined || value === "" ? [] : [[name, value]],
    ),
  );
}

/** Dollars are always sent as doubles and every other number as an integer: typed stores refuse a field that changes. */
export function isDouble(name: string): boolean {
  return name.endsWith(".usd");
}
