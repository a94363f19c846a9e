import { closeSync, fstatSync, readFileSync } from "node:fs";
import { readErrorMessage } from "../../base/delegation-error.ts";
import { openWithoutFollowing } from "../../base/files.ts";
import { MAX_TEMPLATE_BYTES } from "./template-file.ts";

export type FileReading = { readonly text: string } | { readonly problem: string };

/** The text of a file that may be a template. Only a small regular file is read, and links are never followed. */
export function readTemplateFile(path: string): FileReading {
  let descriptor: number;
  try {
    descriptor = openWithoutFollowing(path);
  } catch (error) {
    return {
      problem: isLink(error) ? "it is a symbolic link" : `it cannot be read: ${readErrorMessage(error)}`,
    };
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return { problem: "it is not a regular file" };
    if (facts.size > MAX_TEMPLATE_BYTES) return { problem: describeSize(facts.size) };
    return decodeTemplate(readFileSync(descriptor));
  } catch (error) {
    return { problem: `it cannot be read: ${readErrorMessage(error)}` };
  } finally {
    closeSync(descriptor);
  }
}

function describeSize(bytes: number): string {
  return `it has ${bytes} bytes; the limit is ${MAX_TEMPLATE_BYTES}`;
}

/** Accepts only text, so that what a person is shown is exactly what is added. */
export function decodeTemplate(bytes: Uint8Array): FileReading {
  if (bytes.byteLength > MAX_TEMPLATE_BYTES) return { problem: describeSize(bytes.byteLength) };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? { problem: "it is not a text" } : { text };
  } catch {
    return { problem: "it is not UTF-8 text" };
  }
}

function isLink(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ELOOP";
}
