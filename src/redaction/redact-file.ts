import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { findCredentials, REDACTED } from "./redact.ts";

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * Overwrites the credentials in a file that a worker or a check wrote. The file keeps its length, so that a reader that
 * follows it by position loses nothing, and a JSON document stays one. Only a plain file is touched, because a worker
 * could put a link or a pipe there. Returns how many were found; 0 if there is no such file.
 */
export async function redactFile(path: string): Promise<number> {
  let file: number;
  try {
    file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // It was never written, or it is not a file of ours.
    return 0;
  }
  try {
    return fstatSync(file).isFile() ? await redactChunks(file) : 0;
  } finally {
    closeSync(file);
  }
}

/** Other work gets its turn between two chunks; a short file is done at once. */
async function redactChunks(file: number): Promise<number> {
  // Filling it with zeros would take longer than to read most files.
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let count = 0;
  for (let position = 0; ;) {
    const bytesRead = readSync(file, buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return count;
    const chunk = buffer.subarray(0, bytesRead === CHUNK_BYTES ? findCut(buffer) : bytesRead);
    for (const { offset, bytes } of findOverwrites(chunk)) {
      writeSync(file, bytes, 0, bytes.length, position + offset);
      count += 1;
    }
    position += chunk.length;
    if (bytesRead < CHUNK_BYTES) return count;
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

/** After a whole line, and before a private key that does not end in this chunk. */
function findCut(buffer: Buffer): number {
  const begin = buffer.lastIndexOf("-----BEGIN ");
  if (begin > 0 && buffer.indexOf("-----END ", begin) === -1) return begin;
  const end = buffer.lastIndexOf(LINE_FEED) + 1;
  return end === 0 ? buffer.length : end;
}

interface Overwrite {
  readonly offset: number;
  readonly bytes: Buffer;
}

function findOverwrites(chunk: Buffer): readonly Overwrite[] {
  const decoded = chunk.toString("utf8");
  // With invalid bytes, positions in the text would not be positions in the file.
  const encoding = decoded.includes("\u{fffd}") ? "latin1" : "utf8";
  const text = encoding === "utf8" ? decoded : chunk.toString("latin1");
  let offset = 0;
  let from = 0;
  return findCredentials(text).map(({ start, end }) => {
    offset += Buffer.byteLength(text.slice(from, start), encoding);
    const length = Buffer.byteLength(text.slice(start, end), encoding);
    const overwrite = { offset, bytes: makeFiller(text.slice(start, end), length) };
    offset += length;
    from = end;
    return overwrite;
  });
}

/** A number in JSON must stay a number. */
function makeFiller(secret: string, length: number): Buffer {
  const isNumber = /^\d+$/.test(secret);
  return Buffer.from(isNumber ? "0".repeat(length) : REDACTED.padEnd(length, "*").slice(0, length));
}
