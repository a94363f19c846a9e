/** Values as OTLP knows them; whole numbers are sent as integers. */
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
  /** What went wrong, in one word; null when nothing did. */
  readonly error: string | null;
}

/** Leaves out what is not known. */
export function known(
  values: Readonly<Record<string, AttributeValue | null | undefined>>,
): Readonly<Record<string, AttributeValue>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null || value === undefined || value === "" ? [] : [[name, value]],
    ),
  );
}
