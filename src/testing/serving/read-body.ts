import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

export type Body =
  | { readonly kind: "json"; readonly value: unknown; readonly bytes: number }
  | { readonly kind: "refused"; readonly status: number; readonly why: string };

const MOST_BYTES = 64 * 1024 * 1024;

/** Reads what a client sent; refuses what is too large, packed in an unknown way or not JSON. */
export async function readBody(message: IncomingMessage): Promise<Body> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message) {
    if (!(piece instanceof Uint8Array)) return refused(400, "The body is not bytes.");
    pieces.push(Buffer.from(piece));
    size += piece.length;
    if (size > MOST_BYTES) return refused(413, `The body is larger than ${MOST_BYTES} bytes.`);
  }
  if (size === 0) return { kind: "json", value: undefined, bytes: 0 };
  const unpack = unpackers.get(message.headers["content-encoding"] ?? "identity");
  if (unpack === undefined) return refused(415, "The body is packed in a way this server does not know.");
  try {
    const value: unknown = JSON.parse(unpack(Buffer.concat(pieces)).toString("utf8"));
    return { kind: "json", value, bytes: size };
  } catch {
    return refused(400, "The body is not JSON.");
  }
}

const packing = { maxOutputLength: MOST_BYTES } as const;

const unpackers: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ["identity", (bytes: Buffer) => bytes],
  ["gzip", (bytes: Buffer) => gunzipSync(bytes, packing)],
  ["deflate", (bytes: Buffer) => inflateSync(bytes, packing)],
  ["br", (bytes: Buffer) => brotliDecompressSync(bytes, packing)],
]);

function refused(status: number, why: string): Body {
  return { kind: "refused", status, why };
}
