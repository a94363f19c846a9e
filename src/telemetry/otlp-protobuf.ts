import { type Field, metricsShape, type Shape, tracesShape } from "./wire/shapes.ts";
import type { OtlpTraces } from "./otlp-json.ts";
import type { OtlpMetrics } from "./otlp-metrics.ts";

/** The same request in the binary form. */
export function encodeRequest(request: OtlpTraces | OtlpMetrics): Uint8Array {
  return encodeMessage(request, "resourceSpans" in request ? tracesShape : metricsShape);
}

function encodeMessage(message: object, shape: Shape): Uint8Array {
  const values = new Map<string, unknown>(Object.entries(message));
  return joinBytes(
    shape.flatMap((field) => {
      const value = values.get(field.name);
      if (value === undefined) return [];
      if (!Array.isArray(value)) return [encodeField(field, value)];
      const items: readonly unknown[] = value;
      return field.kind === "packed" || field.kind === "packedDouble"
        ? [encodePacked(field, items)]
        : items.map((item) => encodeField(field, item));
    }),
  );
}

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;

/** In protobuf an absent field means an empty text or a zero, so those are not sent, except where one of several is chosen. */
function encodeField({ number, kind }: Field, value: unknown): Uint8Array {
  if (typeof kind !== "string")
    return typeof value === "object" && value !== null
      ? encodeBytes(number, encodeMessage(value, kind()))
      : empty;
  switch (kind) {
    case "text":
      return value === "" ? empty : encodeBytes(number, Buffer.from(String(value)));
    case "chosenText":
      return encodeBytes(number, Buffer.from(String(value)));
    case "hex":
      return encodeBytes(number, Buffer.from(String(value), "hex"));
    case "enum":
      return value === 0 ? empty : joinBytes([writeTag(number, VARINT), writeVarint(BigInt(Number(value)))]);
    case "bool":
      return joinBytes([writeTag(number, VARINT), writeVarint(value === true ? 1n : 0n)]);
    case "integer":
      return joinBytes([writeTag(number, VARINT), writeVarint(BigInt(String(value)))]);
    case "double":
      return joinBytes([writeTag(number, FIXED_64), writeDouble(Number(value))]);
    default:
      return joinBytes([writeTag(number, FIXED_64), writeFixed(String(value))]);
  }
}

function encodePacked({ number, kind }: Field, items: readonly unknown[]): Uint8Array {
  const write = (item: unknown): Uint8Array =>
    kind === "packedDouble" ? writeDouble(Number(item)) : writeFixed(String(item));
  return encodeBytes(number, joinBytes(items.map(write)));
}

function encodeBytes(number: number, content: Uint8Array): Uint8Array {
  return joinBytes([writeTag(number, LENGTH), writeVarint(BigInt(content.length)), content]);
}

const empty = new Uint8Array(0);

/** The pieces that every protobuf message is made of. */
function writeTag(field: number, kind: number): Uint8Array {
  return writeVarint(BigInt(field * 8 + kind));
}

/** Seven bits at a time; a negative number counts as 64 bits. */
function writeVarint(value: bigint): Uint8Array {
  const digits: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest >= 128n) {
    digits.push(Number(rest % 128n) + 128);
    rest /= 128n;
  }
  return Uint8Array.from([...digits, Number(rest)]);
}

function writeFixed(value: string): Uint8Array {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return buffer;
}

function writeDouble(value: number): Uint8Array {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleLE(value);
  return buffer;
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
