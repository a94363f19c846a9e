import { looksRandom, measureEntropy, type Span } from "./characters.ts";

/** The password in `scheme://user:password@host`, or the token in `https://token@host`; `sign` is where `://` is. */
export function findAddressSecret(text: string, sign: number): Span | undefined {
  const from = sign + "://".length;
  const authority = text.slice(from, findAuthorityEnd(text, from));
  const at = authority.lastIndexOf("@");
  if (at === -1) return undefined;
  const colon = authority.indexOf(":");
  const hasPassword = colon !== -1 && colon < at;
  const start = hasPassword ? colon + 1 : 0;
  const secret = authority.slice(start, at);
  if (secret === "" || /^[[$<{*]/.test(secret)) return undefined;
  return hasPassword || isTokenName(secret) ? { start: from + start, end: from + at } : undefined;
}

const MAX_AUTHORITY_LENGTH = 2000;
const MIN_TOKEN_LENGTH = 16;
const MIN_TOKEN_ENTROPY = 3.3;

function isTokenName(user: string): boolean {
  return (
    user.length >= MIN_TOKEN_LENGTH &&
    looksRandom(user) &&
    /^\w+$/.test(user) &&
    measureEntropy(user) >= MIN_TOKEN_ENTROPY
  );
}

function findAuthorityEnd(text: string, from: number): number {
  const last = Math.min(text.length, from + MAX_AUTHORITY_LENGTH);
  let end = from;
  while (end < last && !' \t\r\n/?#"<>\\'.includes(text.charAt(end))) end += 1;
  return end;
}
