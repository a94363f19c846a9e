import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { messageOf } from "../../base/delegation-error.ts";
import { MOST_TEMPLATE_BYTES } from "../template-file.ts";

export type FileReading = { readonly text: string } | { readonly problem: string };

/** The text of one file that may be a template. A link is never followed, and nothing but a small regular file read. */
export function readTemplateFile(path: string): FileReading {
  let descriptor: number;
  try {
    // O_NONBLOCK: a pipe somebody put there must not make us wait for a writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return { problem: isLink(error) ? "it is a symbolic link" : `it cannot be read: ${messageOf(error)}` };
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return { problem: "it is no regular file" };
    if (facts.size > MOST_TEMPLATE_BYTES) return { problem: tooLarge(facts.size) };
    return decode(readFileSync(descriptor));
  } catch (error) {
    return { problem: `it cannot be read: ${messageOf(error)}` };
  } finally {
    closeSync(descriptor);
  }
}

function tooLarge(bytes: number): string {
  return `it has ${bytes} bytes; a template may have ${MOST_TEMPLATE_BYTES}`;
}

/** Only text: what is shown before it is added must be what is added. */
export function decode(bytes: Uint8Array): FileReading {
  if (bytes.byteLength > MOST_TEMPLATE_BYTES) return { problem: tooLarge(bytes.byteLength) };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? { problem: "it is no text" } : { text };
  } catch {
    return { problem: "it is no UTF-8 text" };
  }
}

function isLink(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ELOOP";
}
