import type { OtlpAttribute, OtlpEvent, OtlpRequest, OtlpSpan, OtlpValue } from "./otlp-json.ts";

/** The same request in the binary form; the numbers are those of OTLP's trace, common and resource messages. */
export function encodeRequest({ resourceSpans }: OtlpRequest): Uint8Array {
  return joinBytes(
    resourceSpans.map(({ resource, scopeSpans }) =>
      encodeMessage(1, [
        encodeMessage(
          1,
          resource.attributes.map((one) => encodeAttribute(1, one)),
        ),
        ...scopeSpans.map(encodeScope),
      ]),
    ),
  );
}

function encodeScope({
  scope: program,
  spans,
}: OtlpRequest["resourceSpans"][0]["scopeSpans"][0]): Uint8Array {
  const { name, version } = program;
  return encodeMessage(2, [
    encodeMessage(1, [encodeText(1, name), encodeText(2, version)]),
    ...spans.map(encodeSpan),
  ]);
}

function encodeSpan(one: OtlpSpan): Uint8Array {
  return encodeMessage(2, [
    encodeBytes(1, Buffer.from(one.traceId, "hex")),
    encodeBytes(2, Buffer.from(one.spanId, "hex")),
    ...(one.parentSpanId === undefined ? [] : [encodeBytes(4, Buffer.from(one.parentSpanId, "hex"))]),
    encodeText(5, one.name),
    encodeInteger(6, BigInt(one.kind)),
    encodeFixed(7, one.startTimeUnixNano),
    encodeFixed(8, one.endTimeUnixNano),
    ...one.attributes.map((each) => encodeAttribute(9, each)),
    ...one.events.map(encodeEvent),
    encodeMessage(15, [encodeText(2, one.status.message ?? ""), encodeInteger(3, BigInt(one.status.code))]),
  ]);
}

function encodeEvent({ timeUnixNano, name, attributes }: OtlpEvent): Uint8Array {
  return encodeMessage(11, [
    encodeFixed(1, timeUnixNano),
    encodeText(2, name),
    ...attributes.map((one) => encodeAttribute(3, one)),
  ]);
}

function encodeAttribute(field: number, { key, value }: OtlpAttribute): Uint8Array {
  return encodeMessage(field, [encodeText(1, key), encodeMessage(2, [anyValue(value)])]);
}

function anyValue(value: OtlpValue): Uint8Array {
  if ("stringValue" in value) return encodeBytes(1, Buffer.from(value.stringValue));
  if ("boolValue" in value) return joinBytes([encodeTag(2, VARINT), encodeVarint(value.boolValue ? 1n : 0n)]);
  if ("intValue" in value) return joinBytes([encodeTag(3, VARINT), encodeVarint(BigInt(value.intValue))]);
  if ("doubleValue" in value) {
    const buffer = Buffer.alloc(8);
    buffer.writeDoubleLE(value.doubleValue);
    return joinBytes([encodeTag(4, FIXED_64), buffer]);
  }
  return encodeMessage(
    5,
    value.arrayValue.values.map((one) => encodeMessage(1, [anyValue(one)])),
  );
}

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;

function encodeMessage(field: number, parts: readonly Uint8Array[]): Uint8Array {
  return encodeBytes(field, joinBytes(parts));
}

function encodeBytes(field: number, content: Uint8Array): Uint8Array {
  return joinBytes([encodeTag(field, LENGTH), encodeVarint(BigInt(content.length)), content]);
}

/** In protobuf an absent field means an empty text or a zero, so those are not sent. */
function encodeText(field: number, content: string): Uint8Array {
  return content === "" ? empty : encodeBytes(field, Buffer.from(content));
}

function encodeInteger(field: number, value: bigint): Uint8Array {
  return value === 0n ? empty : joinBytes([encodeTag(field, VARINT), encodeVarint(value)]);
}

function encodeFixed(field: number, value: string): Uint8Array {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return joinBytes([encodeTag(field, FIXED_64), buffer]);
}

function encodeTag(field: number, kind: number): Uint8Array {
  return encodeVarint(BigInt(field * 8 + kind));
}

/** Seven bits at a time; a negative number counts as 64 bits. */
function encodeVarint(value: bigint): Uint8Array {
  const digits: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest >= 128n) {
    digits.push(Number(rest % 128n) + 128);
    rest /= 128n;
  }
  return Uint8Array.from([...digits, Number(rest)]);
}

const empty = new Uint8Array(0);

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
