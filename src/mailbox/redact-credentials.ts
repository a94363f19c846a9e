/** Replaces a credential. */
export const REDACTED = "[redacted]";

export interface Redaction {
  readonly text: string;
  /** How many were removed. */
  readonly count: number;
}

/**
 * Removes credentials from a text before it is stored or passed on (R121): private keys, tokens of well-known shapes,
 * passwords in addresses, and values of names such as `password` or `api_key`. Names without a value, as in "please
 * provide DB_PASSWORD", stay. Each pass is linear.
 */
export function redactCredentials(text: string): Redaction {
  let count = 0;
  const cut = (): string => {
    count += 1;
    return REDACTED;
  };
  const redacted = cutSecrets(cutPasswords(cutPrivateKeys(text, cut), cut), cut);
  return { text: redacted, count };
}

/** Redacts every text inside a value. Field names are not redacted, their values may be. */
export function redactValue(value: unknown, name = ""): { readonly value: unknown; readonly count: number } {
  if (typeof value === "string") {
    if (isSecretName(name) && isSecretLike(value)) return { value: REDACTED, count: 1 };
    const { text, count } = redactCredentials(value);
    return { value: text, count };
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactValue(item, name));
    return { value: items.map((item) => item.value), count: sumCounts(items) };
  }
  if (typeof value !== "object" || value === null) return { value, count: 0 };
  const fields = Object.entries(value).map(([key, field]): [string, ReturnType<typeof redactValue>] => [
    key,
    redactValue(field, key),
  ]);
  return {
    value: Object.fromEntries(fields.map(([key, field]) => [key, field.value])),
    count: sumCounts(fields.map(([, field]) => field)),
  };
}

function sumCounts(items: readonly { readonly count: number }[]): number {
  return items.reduce((total, { count }) => total + count, 0);
}

const KEY_BEGIN = "-----BEGIN ";
const KEY_END = "-----END ";

/** An incomplete key removes the rest of the text: half a key is still a secret. */
function cutPrivateKeys(text: string, cut: () => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(KEY_BEGIN, from);
    if (start === -1) return pieces.join("") + text.slice(from);
    const title = text.slice(start, start + 80);
    const isPrivate = title.includes("PRIVATE KEY");
    const end = isPrivate ? text.indexOf(KEY_END, start) : start;
    const after = isPrivate ? findKeyEnd(text, end) : start + KEY_BEGIN.length;
    pieces.push(text.slice(from, start), isPrivate ? cut() : KEY_BEGIN);
    from = after;
  }
}

function findKeyEnd(text: string, at: number): number {
  if (at === -1) return text.length;
  const close = text.indexOf("-----", at + KEY_END.length);
  return close === -1 ? text.length : close + "-----".length;
}

/** `scheme://user:password@host` keeps all but the password. */
function cutPasswords(text: string, cut: () => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf("://", from);
    if (start === -1) return pieces.join("") + text.slice(from);
    const authority = text.slice(start + 3, findAuthorityEnd(text, start + 3));
    const at = authority.lastIndexOf("@");
    const colon = authority.indexOf(":");
    const hasPassword = colon !== -1 && colon < at - 1;
    const kept = start + 3 + (hasPassword ? colon + 1 : 0);
    pieces.push(text.slice(from, kept), hasPassword ? cut() : "");
    from = hasPassword ? start + 3 + at : kept;
  }
}

function findAuthorityEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && !' \t\r\n/?#"<>'.includes(text.charAt(end))) end += 1;
  return end;
}

/** Word by word: tokens of known shapes, the word after `Bearer`, and the value of a secret's name. */
function cutSecrets(text: string, cut: () => string): string {
  const pieces: string[] = [];
  let kept = 0;
  let before = "";
  for (let at = 0; at < text.length;) {
    const end = findWordEnd(text, at);
    if (end === at) {
      at += 1;
      continue;
    }
    const word = text.slice(at, end);
    const isBearer = /^(?:bearer|basic)$/i.test(before) && word.length >= MIN_BEARER_LENGTH;
    const value = isKnownToken(word) || isBearer ? { start: at, end } : findSecretValue(text, word, end);
    if (value !== undefined) {
      pieces.push(text.slice(kept, value.start), cut());
      kept = value.end;
    }
    before = word;
    at = value?.end ?? end;
  }
  return pieces.join("") + text.slice(kept);
}

function findWordEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && /[\w./+~-]/.test(text.charAt(end))) end += 1;
  return end;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The place of a secret's value in `password=x`, `"api_key": "x y"` or `secret : x`. */
function findSecretValue(text: string, name: string, after: number): Place | undefined {
  if (!isSecretName(name)) return undefined;
  const sign = skipCharacters(text, skipCharacters(text, after, QUOTES), BLANKS);
  if (!"=:".includes(text.charAt(sign) || " ") || text.startsWith("://", sign)) return undefined;
  const start = skipCharacters(text, sign + 1, BLANKS);
  const quote = text.charAt(start);
  const isQuoted = quote !== "" && QUOTES.includes(quote);
  const from = isQuoted ? start + 1 : start;
  let end = from;
  const stops = isQuoted ? quote : QUOTES + BLANKS;
  while (end < text.length && !stops.includes(text.charAt(end))) end += 1;
  const value = text.slice(from, end);
  if (!isSecretLike(value)) return undefined;
  return { start: from, end: isQuoted ? end : end - findClosing(value).length };
}

const QUOTES = "\"'`";
const BLANKS = " \t\r\n";

function skipCharacters(text: string, from: number, characters: string): number {
  let at = from;
  while (at < text.length && characters.includes(text.charAt(at))) at += 1;
  return at;
}

const secretNames = [
  "password",
  "passwd",
  "passphrase",
  "secret",
  "token",
  "apikey",
  "accesskey",
  "privatekey",
  "credential",
  "credentials",
  "authorization",
] as const;

/** The last part of a name decides: `DB_PASSWORD` is a password, `password_file` is a file. */
function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  return secretNames.some((secret) => plain.endsWith(secret));
}

const MIN_BEARER_LENGTH = 8;
const MIN_SECRET_LENGTH = 4;

/** Long enough, and neither a placeholder nor a reference to where the real one is kept. */
function isSecretLike(value: string): boolean {
  const plain = value.slice(0, value.length - findClosing(value).length);
  if (plain.length < MIN_SECRET_LENGTH || value.startsWith(REDACTED)) return false;
  if (/^(?:\$|<|\{|\*|\[|process\.env|env:|vault:)/i.test(plain)) return false;
  return !/^(?:null|none|true|false|undefined|required|missing|needed|example|changeme|bearer|basic)\b/i.test(
    plain,
  );
}

/** Prefixes of credentials, and the minimum of characters that follow. */
const knownPrefixes: readonly (readonly [string, number])[] = [
  ["sk-", 16],
  ["sk_live_", 10],
  ["sk_test_", 10],
  ["rk_live_", 10],
  ["ghp_", 20],
  ["gho_", 20],
  ["ghu_", 20],
  ["ghs_", 20],
  ["ghr_", 20],
  ["github_pat_", 20],
  ["glpat-", 16],
  ["xoxb-", 10],
  ["xoxp-", 10],
  ["xapp-", 10],
  ["npm_", 20],
  ["pypi-", 20],
  ["hf_", 20],
  ["AIza", 30],
  ["ya29.", 20],
  ["AKIA", 16],
  ["ASIA", 16],
  ["eyJ", 30],
];

function isKnownToken(word: string): boolean {
  return knownPrefixes.some(
    ([prefix, least]) =>
      word.startsWith(prefix) &&
      word.length >= prefix.length + least &&
      /^[\w.=/+-]+$/.test(word.slice(0, prefix.length + least)),
  );
}

/** Closing punctuation is not part of a value. */
function findClosing(value: string): string {
  let end = value.length;
  while (end > 0 && ")]}>,;.".includes(value.charAt(end - 1))) end -= 1;
  return value.slice(end);
}
