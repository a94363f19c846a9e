import type { OtlpAttribute, OtlpEvent, OtlpRequest, OtlpSpan, OtlpValue } from "./otlp-json.ts";

/** The same request in the binary form; the numbers are those of OTLP's trace, common and resource messages. */
export function encodeRequest({ resourceSpans }: OtlpRequest): Uint8Array {
  return join(
    resourceSpans.map(({ resource, scopeSpans }) =>
      message(1, [
        message(
          1,
          resource.attributes.map((one) => attribute(1, one)),
        ),
        ...scopeSpans.map(scope),
      ]),
    ),
  );
}

function scope({ scope: program, spans }: OtlpRequest["resourceSpans"][0]["scopeSpans"][0]): Uint8Array {
  const { name, version } = program;
  return message(2, [message(1, [text(1, name), text(2, version)]), ...spans.map(span)]);
}

function span(one: OtlpSpan): Uint8Array {
  return message(2, [
    bytes(1, Buffer.from(one.traceId, "hex")),
    bytes(2, Buffer.from(one.spanId, "hex")),
    ...(one.parentSpanId === undefined ? [] : [bytes(4, Buffer.from(one.parentSpanId, "hex"))]),
    text(5, one.name),
    whole(6, BigInt(one.kind)),
    fixed(7, one.startTimeUnixNano),
    fixed(8, one.endTimeUnixNano),
    ...one.attributes.map((each) => attribute(9, each)),
    ...one.events.map(event),
    message(15, [text(2, one.status.message ?? ""), whole(3, BigInt(one.status.code))]),
  ]);
}

function event({ timeUnixNano, name, attributes }: OtlpEvent): Uint8Array {
  return message(11, [fixed(1, timeUnixNano), text(2, name), ...attributes.map((one) => attribute(3, one))]);
}

function attribute(field: number, { key, value }: OtlpAttribute): Uint8Array {
  return message(field, [text(1, key), message(2, [anyValue(value)])]);
}

function anyValue(value: OtlpValue): Uint8Array {
  if ("stringValue" in value) return bytes(1, Buffer.from(value.stringValue));
  if ("boolValue" in value) return join([tag(2, VARINT), varint(value.boolValue ? 1n : 0n)]);
  if ("intValue" in value) return join([tag(3, VARINT), varint(BigInt(value.intValue))]);
  if ("doubleValue" in value) {
    const buffer = Buffer.alloc(8);
    buffer.writeDoubleLE(value.doubleValue);
    return join([tag(4, FIXED_64), buffer]);
  }
  return message(
    5,
    value.arrayValue.values.map((one) => message(1, [anyValue(one)])),
  );
}

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;

function message(field: number, parts: readonly Uint8Array[]): Uint8Array {
  return bytes(field, join(parts));
}

function bytes(field: number, content: Uint8Array): Uint8Array {
  return join([tag(field, LENGTH), varint(BigInt(content.length)), content]);
}

/** An empty text and a zero are what is meant when nothing is sent. */
function text(field: number, content: string): Uint8Array {
  return content === "" ? empty : bytes(field, Buffer.from(content));
}

function whole(field: number, value: bigint): Uint8Array {
  return value === 0n ? empty : join([tag(field, VARINT), varint(value)]);
}

function fixed(field: number, value: string): Uint8Array {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return join([tag(field, FIXED_64), buffer]);
}

function tag(field: number, kind: number): Uint8Array {
  return varint(BigInt(field * 8 + kind));
}

/** Seven bits at a time; a negative number counts as 64 bits. */
function varint(value: bigint): Uint8Array {
  const digits: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest >= 128n) {
    digits.push(Number(rest % 128n) + 128);
    rest /= 128n;
  }
  return Uint8Array.from([...digits, Number(rest)]);
}

const empty = new Uint8Array(0);

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
