import { createHash } from "node:crypto";

const HASH_LENGTH = 16;

/** A short hash of a tool call's input, to recognise equal calls. Nothing if the stream does not show the input. */
export function hashInput(input: unknown): { readonly input?: string } {
  if (input === undefined || input === null) return {};
  const text = JSON.stringify(input) ?? "";
  return { input: createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH) };
}
