import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

export type Body =
  | { readonly kind: "json"; readonly value: unknown; readonly bytes: number }
  | { readonly kind: "refused"; readonly status: number; readonly why: string };

const MAX_BYTES = 64 * 1024 * 1024;

/** Reads a JSON body; refuses one that is too large, compressed in an unknown way or not JSON. */
export async function readBody(message: IncomingMessage): Promise<Body> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message) {
    if (!(piece instanceof Uint8Array)) return refuseBody(400, "The body is not bytes.");
    pieces.push(Buffer.from(piece));
    size += piece.length;
    if (size > MAX_BYTES) return refuseBody(413, `The body is larger than ${MAX_BYTES} bytes.`);
  }
  if (size === 0) return { kind: "json", value: undefined, bytes: 0 };
  const unpack = unpackers.get(message.headers["content-encoding"] ?? "identity");
  if (unpack === undefined) return refuseBody(415, "The body is compressed in an unknown way.");
  try {
    const value: unknown = JSON.parse(unpack(Buffer.concat(pieces)).toString("utf8"));
    return { kind: "json", value, bytes: size };
  } catch {
    return refuseBody(400, "The body is not JSON.");
  }
}

const packing = { maxOutputLength: MAX_BYTES } as const;

const unpackers: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ["identity", (bytes: Buffer) => bytes],
  ["gzip", (bytes: Buffer) => gunzipSync(bytes, packing)],
  ["deflate", (bytes: Buffer) => inflateSync(bytes, packing)],
  ["br", (bytes: Buffer) => brotliDecompressSync(bytes, packing)],
]);

function refuseBody(status: number, why: string): Body {
  return { kind: "refused", status, why };
}
