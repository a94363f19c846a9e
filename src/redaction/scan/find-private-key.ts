import type { Span } from "./characters.ts";

const KEY_BEGIN = "-----BEGIN ";
const KEY_END = "-----END ";
const MAX_TITLE_LENGTH = 80;

/** An incomplete key takes the rest of the text: half a key is still a secret. */
export function findPrivateKey(text: string, at: number): Span | undefined {
  if (!text.startsWith(KEY_BEGIN, at)) return undefined;
  if (!text.slice(at, at + MAX_TITLE_LENGTH).includes("PRIVATE KEY")) return undefined;
  const end = text.indexOf(KEY_END, at);
  const close = end === -1 ? -1 : text.indexOf("-----", end + KEY_END.length);
  return { start: at, end: close === -1 ? text.length : close + "-----".length };
}
