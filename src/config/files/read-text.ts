import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { readErrorMessage } from "../../base/delegation-error.ts";

/** Far above any real configuration, far below what would hurt to parse. */
const MAX_BYTES = 1024 * 1024;

export type FileText =
  | { readonly kind: "missing" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unreadable"; readonly reason: string };

/** A small UTF-8 file; anything else (a folder, a pipe, a huge or binary file) is reported as such, never read. */
export function readText(path: string): FileText {
  try {
    // Opening a pipe would wait for a writer, so the kind is checked first.
    if (!statSync(path).isFile()) return reportUnreadable("not a regular file");
    return readRegular(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    return reportUnreadable(`cannot be read: ${readErrorMessage(error)}`);
  }
}

function readRegular(path: string): FileText {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, MAX_BYTES) + 1);
    const length = readSync(descriptor, buffer, 0, buffer.length, 0);
    if (size > MAX_BYTES || length > MAX_BYTES)
      return reportUnreadable(`has ${size} bytes; the most is ${MAX_BYTES}`);
    return decodeText(buffer.subarray(0, length));
  } finally {
    closeSync(descriptor);
  }
}

function decodeText(bytes: Uint8Array): FileText {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    // The decoder's own message names no place; the bytes are simply not text.
    return reportUnreadable("not UTF-8 text");
  }
}

function reportUnreadable(reason: string): FileText {
  return { kind: "unreadable", reason };
}
